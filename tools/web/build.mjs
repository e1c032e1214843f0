/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes one page of benchmem: one file that holds its script, its style and
 * the licences of what they contain, with slots that the command fills in.
 *
 *   node build.mjs NODE_MODULES PAGE OUTPUT
 *
 * PAGE is a folder beside this file with page.html, page.js and style.css.
 * What {{name}} stands for in page.html is put in here; a {{slot:name}} becomes
 * <!--benchmem:name-->, which the command replaces.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [modules, page, output] = process.argv.slice(2).map((a) => resolve(a));
const require = createRequire(join(modules, 'none.js'));
const esbuild = require('esbuild');

const options = {
  bundle: true, write: false, metafile: true, minify: true,
  charset: 'utf8', legalComments: 'none', nodePaths: [modules],
  logLevel: 'warning', absWorkingDir: here,
};

/* Names of the packages whose files ended up in a bundle. */
function packagesOf(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match)
      names.add(match[1]);
  }
  return [...names].sort();
}

function licenceOf(name) {
  const folder = join(modules, name);
  const { version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return { head: `${name} ${version} (${license})`, text };
}

/* Packages under one and the same text share it. */
function licencesOf(names) {
  const texts = new Map();
  for (const name of names) {
    const { head, text } = licenceOf(name);
    texts.set(text, [...(texts.get(text) || []), head]);
  }
  return [...texts].map(([text, heads]) => `${heads.join('\n')}\n\n${text}`)
    .join('\n\n----\n\n');
}

function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

/* Of the text between the tags, as a browser's policy wants it. */
function hashOf(text) {
  return createHash('sha256').update(text).digest('base64');
}

const script = await esbuild.build({
  ...options, entryPoints: [join(page, 'page.js')], format: 'iife',
  target: ['es2020'], outfile: 'page.js',
});
const style = existsSync(join(page, 'style.css')) ? await esbuild.build({
  ...options, entryPoints: [join(page, 'style.css')], outfile: 'style.css',
}) : null;

const scriptText = script.outputFiles.find((f) => f.path.endsWith('.js'))
  .text.trim();
const styleText = style ? style.outputFiles[0].text.trim() : '';
if (/<\/script|<!--/i.test(scriptText))
  throw new Error('the bundle holds what would end its script element');

const names = packagesOf(script.metafile);
const parts = {
  script: scriptText,
  style: styleText,
  'script-hash': hashOf(scriptText),
  'style-hash': hashOf(styleText),
  licences: escapeHtml(licencesOf(names)),
};
const html = readFileSync(join(page, 'page.html'), 'utf8')
  .replace(/\{\{slot:([a-z]+)\}\}/g, '<!--benchmem:$1-->')
  .replace(/\{\{([a-z-]+)\}\}/g, (whole, name) => {
    if (!(name in parts))
      throw new Error(`page.html asks for ${whole}`);
    return parts[name];
  });

writeFileSync(output, html);
