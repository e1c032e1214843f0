// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// read_pprof.mjs MODULES FILE: what pprof-format reads, as JSON, with every
// index replaced by what it stands for. Numbers are strings, to be exact.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";

const [modules, file] = process.argv.slice(2);
const { Profile } = createRequire(`${modules}/`)("pprof-format");
const profile = Profile.decode(gunzipSync(readFileSync(file)));

const text = (index) => profile.stringTable.strings[Number(index)];
const byId = (list) => new Map(list.map((item) => [Number(item.id), item]));
const functions = byId(profile.function);
const locations = byId(profile.location);
const mappings = byId(profile.mapping);

function frames(id) {
  const location = locations.get(Number(id));
  const mapping = mappings.get(Number(location.mappingId));
  return location.line.map((line, i) => {
    const f = functions.get(Number(line.functionId));
    return {
      function: text(f.name),
      linkage_name: text(f.systemName),
      file: text(f.filename),
      line: Number(line.line),
      inlined: i + 1 < location.line.length,
      module: mapping ? text(mapping.filename) : null,
      address: String(location.address),
    };
  });
}

function labels(sample) {
  const result = Object.create(null); // a label may be called __proto__
  for (const label of sample.label) {
    const key = text(label.key);
    if (key in result) throw new Error(`label ${key} twice`);
    result[key] = label.str ? text(label.str) : Number(label.num);
  }
  return result;
}

if (profile.stringTable.strings[0] !== "") throw new Error("no empty string");
for (const list of [profile.function, profile.location, profile.mapping])
  if (byId(list).size !== list.length || list.some((item) => !Number(item.id)))
    throw new Error("an id comes twice, or is 0");

console.log(
  JSON.stringify({
    types: profile.sampleType.map((t) => `${text(t.type)}/${text(t.unit)}`),
    default_type: text(profile.defaultSampleType),
    period: String(profile.period),
    comments: profile.comment.map(text),
    mappings: profile.mapping.map((m) => text(m.filename)),
    samples: profile.sample.map((sample) => ({
      values: sample.value.map(String),
      labels: labels(sample),
      frames: sample.locationId.flatMap(frames).reverse(),
    })),
  }),
);
