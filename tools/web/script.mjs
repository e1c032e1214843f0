/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes one script for Node of a module and what it imports, with their
 * licences in front.
 *
 *   node script.mjs NODE_MODULES MODULE OUTPUT
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle, licencesOf, packagesOf } from './bundle.mjs';

const [modules, module, output] = process.argv.slice(2).map((a) => resolve(a));

const made = await bundle(modules, {
  entryPoints: [module], format: 'esm', platform: 'node', target: ['node18'],
  outfile: 'script.js',
});
const licences = licencesOf(modules, packagesOf(made.metafile))
  .replace(/\*\//g, '* /');
writeFileSync(output, `/*\n${licences}\n*/\n${made.outputFiles[0].text}`);
