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
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle, licencesOf, packagesOf } from './bundle.mjs';

const [modules, page, output] = process.argv.slice(2).map((a) => resolve(a));

function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

/* Of the text between the tags, as a browser's policy wants it. */
function hashOf(text) {
  return createHash('sha256').update(text).digest('base64');
}

const script = await bundle(modules, {
  entryPoints: [join(page, 'page.js')], format: 'iife',
  target: ['es2020'], outfile: 'page.js',
});
const style = existsSync(join(page, 'style.css')) ? await bundle(modules, {
  entryPoints: [join(page, 'style.css')], outfile: 'style.css',
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
  licences: escapeHtml(licencesOf(modules, names)),
};
const html = readFileSync(join(page, 'page.html'), 'utf8')
  .replace(/\{\{slot:([a-z]+)\}\}/g, '<!--benchmem:$1-->')
  .replace(/\{\{([a-z-]+)\}\}/g, (whole, name) => {
    if (!(name in parts))
      throw new Error(`page.html asks for ${whole}`);
    return parts[name];
  });

writeFileSync(output, html);
