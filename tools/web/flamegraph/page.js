/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page: its controls, and what they change. */
import { makeChart } from './chart.js';
import { colorOf } from './color.js';
import { BOX, layout } from './layout.js';
import {
  FLAG, METRICS, bottomUp, load, matchPlaces, reshape, search,
  topDown, weigh,
} from './model.js';
import {
  formatChange, formatExact, formatPercent, formatValue, itemLabel,
} from './text.js';
import { fillTip, placeTip } from './tip.js';

const UNIT = { peak: 'bytes', allocated: 'bytes', allocations: 'calls',
               live: 'bytes' };
const LABEL = { peak: 'held at the peak', allocated: 'allocated',
                allocations: 'allocations', live: 'live at the end' };

const byId = (id) => document.getElementById(id);
const model = load(JSON.parse(byId('data').textContent));
const { data } = model;

const view = {
  metric: data.metric, thread: -1, widths: 'after', icicle: true,
  inverted: false, fold: data.fold, own: data.own, system: true, hide: 0,
};

let weights = null;    /* of the chosen metric */
let tree = null;
let focus = null;
let matches = null;    /* of the search, by place */
const shapes = new Map();
const sums = new Map(); /* of the other metrics, by node */

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark'
    : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

function shapeOf() {
  view.hide = (view.own ? 0 : FLAG.own) | (view.system ? 0 : FLAG.system);
  const key = `${view.hide} ${view.fold}`;
  if (!shapes.has(key))
    shapes.set(key, reshape(model, view));
  return shapes.get(key);
}

function weighMetric(metric) {
  const shape = shapeOf();
  const key = `${metric} ${view.thread} ${view.fold} ${view.hide}`;
  if (!sums.has(key))
    sums.set(key, weigh(shape, { ...view, metric }));
  return sums.get(key);
}

function labelOf(box) {
  if (box.type === BOX.frame)
    return itemLabel(model, box.item);
  if (box.type === BOX.deeper)
    return '\u22ef deeper';
  if (box.type === BOX.above)
    return `\u22ef ${formatExact(box.hidden)} more callers`;
  return `other: ${formatExact(tree.children(box.item).length - box.from)} small`;
}

function describe(box) {
  if (box.type !== BOX.frame)
    return labelOf(box);
  const { item } = box;
  const unit = UNIT[view.metric];
  const total = weights.after.total[0];
  const text = `${labelOf(box)}, ${formatValue(item.after, unit)}`;
  return item.before === null
    ? `${text}, ${formatPercent(item.after, BigInt.asUintN(64, total))}`
    : `${text}, ${formatChange(item.after - item.before, unit)}`;
}

/* The other metrics of a box, where one node of the tree is one box. */
function otherMetrics(item) {
  if (view.inverted)
    return [];
  return METRICS.filter((m) => m !== view.metric).map((m) => [
    LABEL[m],
    formatValue(BigInt.asUintN(64, weighMetric(m).after.total[item.node]),
                UNIT[m]),
  ]);
}

const tip = byId('tip');
let shown = null;

const chart = makeChart(byId('chart'), {
  label: labelOf,
  describe,
  color: (box) => colorOf(model, box, isDark()),
  inlined: (box) => box.type === BOX.frame && box.item.place >= 0
    && Boolean(model.places[box.item.place].flags & FLAG.inlined),
  lit: (box) => Boolean(matches) && box.type === BOX.frame
    && box.item.place >= 0 && matches[box.item.place],
  activate(box) {
    if (box.type === BOX.other && !box.open)
      zoom({ item: box.item, from: box.from });
    else if (box.type !== BOX.other)
      zoom({ item: box.item, from: 0 });
  },
  show(box, at) {
    if (shown !== box) {
      fillTip(tip, box, labelOf(box), {
        model, inverted: view.inverted, others: otherMetrics,
        metric: { label: LABEL[view.metric], unit: UNIT[view.metric] },
        total: BigInt.asUintN(64, weights.after.total[0]),
      });
      shown = box;
    }
    tip.hidden = false;
    placeTip(tip, at);
  },
  hide() {
    tip.hidden = true;
    shown = null;
  },
});

function isRootFocus() {
  return focus.item === tree.root && focus.from === 0;
}

function tellStatus() {
  const total = BigInt.asUintN(64, weights.after.total[0]);
  const unit = UNIT[view.metric];
  const parts = [];

  if (matches) {
    const found = search(weights, matches);
    parts.push(`${formatExact(found.frames)} of ${
      formatExact(found.all)} frames match: ${
      formatValue(found.sum, unit)}, ${formatPercent(found.sum, total)}`);
  }
  if (!isRootFocus())
    parts.push(`zoomed into ${labelOf({ type: BOX.frame, item: focus.item })}`
      + `, ${formatValue(focus.item.after, unit)} (${
        formatPercent(focus.item.after, total)})`);
  if (weights.after.owed > 0n)
    parts.push(`this thread also freed ${
      formatValue(weights.after.owed, unit)} of what others allocated`);
  if (model.base && !parts.length)
    parts.push('red grew, blue shrank, grey is as it was');
  byId('status').textContent = parts.join('; ');
}

function draw() {
  const nothing = weights.width[0] === 0;
  byId('empty').hidden = !nothing;
  byId('chart').hidden = nothing;
  byId('empty').textContent = `Nothing was ${LABEL[view.metric]}${
    view.thread >= 0 ? ' by this thread' : ''}.`;
  if (!nothing)
    chart.draw(layout(tree, focus).tree, view.icicle);
  byId('reset').disabled = isRootFocus();
  tellStatus();
}

function zoom(to) {
  focus = to;
  draw();
  /* A flame graph's root is at its foot. */
  if (!view.icicle)
    byId('chart').scrollIntoView({ block: 'end' });
}

/* Everything anew, as the controls say. */
function change() {
  weights = weighMetric(view.metric);
  if (model.base)
    weights = weigh(shapeOf(), view);
  tree = view.inverted ? bottomUp(weights) : topDown(weights);
  focus = { item: tree.root, from: 0 };
  draw();
  fillMetrics();
}

function fillMetrics() {
  for (const metric of METRICS) {
    const sum = weighMetric(metric);
    const after = BigInt.asUintN(64, sum.after.total[0]);
    let text = formatValue(after, UNIT[metric]);
    if (sum.before)
      text += ` (${formatChange(
        after - BigInt.asUintN(64, sum.before.total[0]), UNIT[metric])})`;
    byId(`value-${metric}`).textContent = text;
  }
}

function makeMetrics() {
  for (const metric of METRICS) {
    const label = document.createElement('label');
    const input = document.createElement('input');
    const name = document.createElement('span');
    const value = document.createElement('b');

    input.type = 'radio';
    input.name = 'metric';
    input.value = metric;
    input.checked = metric === view.metric;
    input.addEventListener('change', () => { view.metric = metric; change(); });
    name.textContent = LABEL[metric];
    value.id = `value-${metric}`;
    label.append(input, name, value);
    byId('metrics').append(label);
  }
}

function makeThreads() {
  const select = byId('thread');
  const all = ['all threads', ...data.threads];

  all.forEach((name, i) => select.append(new Option(name, String(i - 1))));
  byId('thread-choice').hidden = data.threads.length < 2;
  select.addEventListener('change', () => {
    view.thread = Number(select.value);
    change();
  });
}

function makeSwitches() {
  for (const name of ['inverted', 'fold', 'own', 'system']) {
    byId(name).checked = view[name];
    byId(name).addEventListener('change', (event) => {
      view[name] = event.target.checked;
      change();
    });
  }
  byId('flame').addEventListener('change', (event) => {
    view.icicle = !event.target.checked;
    draw();
  });
  const used = (flag) => model.places.some((p) => p.flags & flag);
  byId('own').parentElement.hidden = !used(FLAG.own);
  byId('system').parentElement.hidden = !used(FLAG.system);
  byId('widths-choice').hidden = !model.base;
  byId('widths').addEventListener('change', (event) => {
    view.widths = event.target.value;
    change();
  });
  byId('reset').addEventListener('click',
                                 () => zoom({ item: tree.root, from: 0 }));
  byId('theme').addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    draw();
  });
  byId('tools').addEventListener('submit', (event) => event.preventDefault());
}

/* A pattern that is not finished yet finds nothing, and says so. */
function find(text) {
  const input = byId('search');
  try {
    matches = text ? matchPlaces(model, text) : null;
    input.removeAttribute('aria-invalid');
  } catch (error) {
    matches = null;
    input.setAttribute('aria-invalid', 'true');
  }
  draw();
}

function makeSearch() {
  const input = byId('search');
  let waiting = 0;

  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => find(input.value.trim()), 120);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.target.matches('input, select')) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape' && !isRootFocus()) {
      const { item, from } = focus;
      zoom({ item: from > 0 || !item.up ? item : item.up, from: 0 });
    }
  });
}

function makeAbout() {
  byId('title').textContent = data.title;
  byId('about').textContent = data.about.join(' \u00b7 ')
    + (data.about_base
      ? `; before: ${data.about_base.join(' \u00b7 ')}` : '');
  for (const note of data.notes) {
    const line = document.createElement('li');
    line.textContent = note;
    byId('notes').append(line);
  }
  byId('notes').hidden = !data.notes.length;
}

function watchWindow() {
  let waiting = 0;
  let width = window.innerWidth;

  window.addEventListener('resize', () => {
    if (window.innerWidth === width)
      return;
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(draw, 150);
  });
  window.matchMedia('(prefers-color-scheme: dark)')
    .addEventListener('change', draw);
}

makeAbout();
makeMetrics();
makeThreads();
makeSwitches();
makeSearch();
watchWindow();
change();
