/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Draws a Vega-Lite specification as SVG, on Node:
 *
 *   node render.mjs SPECIFICATION PICTURE
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { View, loader, logger, parse, Error as ERROR } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';

const [from, to] = process.argv.slice(2);
const spec = JSON.parse(readFileSync(from, 'utf8'));
const refuse = () => Promise.reject(new Error('nothing is loaded'));
const quiet = logger(ERROR);

const view = new View(
  parse(compile(spec, { logger: quiet }).spec, null, { ast: true }), {
    renderer: 'none', expr: expressionInterpreter, logger: quiet,
    loader: { ...loader(), load: refuse },
  });
writeFileSync(to, await view.toSVG());
