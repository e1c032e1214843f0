/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of a box, beside the pointer. Built of text nodes only. */
import { BOX } from './layout.js';
import { ROOT, SMALL } from './model.js';
import {
  formatChange, formatExact, formatPercent, formatValue,
  placeFile, remarks, siteLabel,
} from './text.js';

function add(parent, tag, text, name) {
  const element = document.createElement(tag);
  if (name)
    element.className = name;
  if (text)
    element.textContent = text;
  parent.append(element);
  return element;
}

function addRow(table, name, value) {
  const row = add(table, 'tr');
  add(row, 'th', name);
  add(row, 'td', value);
}

/* "12.3 MiB (12 934 123 B)", exact where the unit rounds. */
function exactly(value, unit) {
  const text = formatValue(value, unit);
  return unit === 'bytes' && value >= 1024n
    ? `${text} (${formatExact(value)} B)` : text;
}

function addPlace(tip, place, baseLine) {
  add(tip, 'strong', place.function);
  const where = placeFile(place) || place.module;
  if (where)
    add(tip, 'div', where + (place.line && place.column && !/:\d+:\d+$/.test(where)
      ? `:${place.column}` : ''), 'where');
  if (baseLine && baseLine !== place.line)
    add(tip, 'div', `line ${baseLine} before`, 'where');
  if (place.file && place.module)
    add(tip, 'div', place.module, 'where');
  if (place.source)
    add(tip, 'code', place.source);
  for (const remark of remarks(place))
    add(tip, 'div', remark, 'remark');
}

function addSite(table, place) {
  if (!place.kind)
    return;
  addRow(table, 'allocates by', place.callee && place.kind !== place.callee
    ? `${siteLabel({ ...place, type: null })} (${place.callee})`
    : siteLabel({ ...place, type: null }));
  if (place.type)
    addRow(table, 'type', place.type);
  if (place.size)
    addRow(table, 'size', place.size);
  if (place.count)
    addRow(table, 'elements', place.count);
}

function addFigures(table, item, state) {
  const { metric, total } = state;

  if (item.before !== null) {
    addRow(table, `${metric.label}, after`, exactly(item.after, metric.unit));
    addRow(table, 'before', exactly(item.before, metric.unit));
    addRow(table, 'change', formatChange(item.after - item.before, metric.unit)
      + (item.before > 0n
        ? ` (${formatPercent(absolute(item.after - item.before), item.before)})`
        : item.after > 0n ? ' (new)' : ''));
    return;
  }
  addRow(table, metric.label, exactly(item.after, metric.unit));
  addRow(table, 'share', formatPercent(item.after, total));
  if (item.up && item.up.after !== total)
    addRow(table, state.inverted ? 'of the box above' : 'of its caller',
           formatPercent(item.after, item.up.after));
  for (const [label, text] of state.others(item))
    addRow(table, label, text);
}

function absolute(value) {
  return value < 0n ? -value : value;
}

const GATHERED = {
  [BOX.other]: 'boxes too narrow to draw; click to see them',
  [BOX.deeper]: 'more levels; click to go on from here',
  [BOX.above]: 'callers that are not drawn; click to go to the last one',
};

/* state: model, metric {label, unit}, total, inverted, others(item). */
export function fillTip(tip, box, label, state) {
  tip.replaceChildren();
  if (box.type !== BOX.frame) {
    add(tip, 'strong', label);
    add(tip, 'div', GATHERED[box.type], 'remark');
    return;
  }
  const { item } = box;
  const place = item.place >= 0 ? state.model.places[item.place] : null;
  if (place)
    addPlace(tip, place, place.baseLine);
  else
    add(tip, 'strong', item.place === ROOT ? state.model.data.title : label);
  if (item.place === SMALL)
    add(tip, 'div', 'merged when the page was made: see --threshold', 'remark');
  const table = add(tip, 'table');
  if (place)
    addSite(table, place);
  addFigures(table, item, state);
}

/* Beside the pointer, and inside the window. */
export function placeTip(tip, at) {
  const width = tip.offsetWidth;
  const height = tip.offsetHeight;
  const left = Math.min(at.x + 14, window.innerWidth - width - 8);
  const below = at.y + 18;
  const top = below + height > window.innerHeight - 8
    ? Math.max(at.y - height - 10, 8) : below;

  tip.style.left = `${Math.max(left, 8)}px`;
  tip.style.top = `${top}px`;
}
