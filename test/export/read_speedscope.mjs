// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// read_speedscope.mjs MODULES FILE: holds a file against speedscope's schema.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, file] = process.argv.slice(2);
const Ajv = createRequire(`${modules}/`)("ajv");
const release = `${modules}/node_modules/speedscope/dist/release`;
const schema = readdirSync(release).find((name) =>
  /^file-format-schema.*\.json$/.test(name),
);
const validate = new Ajv({ strict: false }).compile(
  JSON.parse(readFileSync(`${release}/${schema}`, "utf8")),
);

if (!validate(JSON.parse(readFileSync(file, "utf8")))) {
  console.error(validate.errors);
  process.exit(1);
}
