/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Puts a module and what it imports into one file, by esbuild, and says whose
 * work is in it. modules: the folder node_modules that npm filled.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/* esbuild's result, with the file and its metafile in memory. */
export function bundle(modules, options) {
  const esbuild = createRequire(join(modules, 'none.js'))('esbuild');
  return esbuild.build({
    bundle: true, write: false, metafile: true, minify: true,
    charset: 'utf8', legalComments: 'none', nodePaths: [modules],
    logLevel: 'warning', absWorkingDir: here, ...options,
  });
}

/* Names of the packages whose files ended up in a bundle. */
export function packagesOf(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match)
      names.add(match[1]);
  }
  return [...names].sort();
}

function licenceOf(modules, name) {
  const folder = join(modules, name);
  const { version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return { head: `${name} ${version} (${license})`, text };
}

/* Packages under one and the same text share it. */
export function licencesOf(modules, names) {
  const texts = new Map();
  for (const name of names) {
    const { head, text } = licenceOf(modules, name);
    texts.set(text, [...(texts.get(text) || []), head]);
  }
  return [...texts].map(([text, heads]) => `${heads.join('\n')}\n\n${text}`)
    .join('\n\n----\n\n');
}
