/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The page of a plot: a Vega-Lite specification that is data, drawn by
 * vega-embed. Expressions are interpreted, never compiled, and nothing is
 * loaded.
 */
import embed from 'vega-embed';

/* Beyond this many marks a canvas is faster than elements. */
const MANY = 2000;

const byId = (id) => document.getElementById(id);
const spec = JSON.parse(byId('data').textContent);

function isDark() {
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/* Colours of text and lines; those of the data are the specification's. */
function settings() {
  const [text, faint, line] = isDark()
    ? ['#e9e5df', '#a29a8f', '#3a3733'] : ['#22201d', '#6d675f', '#ddd7ce'];
  return {
    background: null,
    title: { color: text, subtitleColor: faint },
    axis: {
      labelColor: text, titleColor: faint, gridColor: line,
      domainColor: faint, tickColor: faint,
    },
    legend: { labelColor: text, titleColor: faint },
    header: { labelColor: text, titleColor: faint },
    view: { stroke: line },
    text: { color: text },
  };
}

const refuse = () => Promise.reject(new Error('nothing is loaded'));

async function draw() {
  const { background, ...drawing } = spec;
  try {
    await embed(byId('chart'), drawing, {
      mode: 'vega-lite',
      ast: true,
      renderer: spec.data.values.length > MANY ? 'canvas' : 'svg',
      config: settings(),
      defaultStyle: false,
      forceActionsMenu: true,
      tooltip: { disableDefaultStyle: true },
      loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
      downloadFileName: document.title.replace(/[^\w.-]+/g, '-'),
      actions: { export: true, source: false, compiled: false, editor: false },
    });
    document.body.dataset.drawn = 'true';
  } catch (error) {
    byId('error').hidden = false;
    byId('error').textContent = `This plot cannot be drawn: ${error.message}`;
  }
}

window.matchMedia('(prefers-color-scheme: dark)')
  .addEventListener('change', draw);
draw();
