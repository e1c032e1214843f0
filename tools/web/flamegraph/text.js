/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers and places in words, by the same rules as on the terminal: binary
 * units with one decimal rounded half up, exact below 1024.
 */
import { FLAG, ROOT, SMALL } from './model.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function formatBytes(bytes) {
  if (bytes < 0n)
    return `-${formatBytes(-bytes)}`;
  if (bytes < 1024n)
    return `${bytes} B`;
  let unit = 0;
  let tenths;
  do {
    unit++;
    const shift = BigInt(10 * unit);
    tenths = (bytes * 10n + (1n << (shift - 1n))) >> shift;
  } while (tenths >= 10240n && unit + 1 < UNITS.length);
  return `${tenths / 10n}.${tenths % 10n} ${UNITS[unit]}`;
}

/* Exact, with a thin space between groups of three digits. */
export function formatExact(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

export function formatValue(value, unit) {
  return unit === 'bytes' ? formatBytes(value) : formatExact(value);
}

/* "+1.0 KiB", "-12 B", "no change". */
export function formatChange(value, unit) {
  if (value === 0n)
    return 'no change';
  return (value > 0n ? '+' : '') + formatValue(value, unit);
}

/* One decimal, rounded half up; "-" out of nothing. */
export function formatPercent(part, whole) {
  if (whole === 0n)
    return '-';
  const tenths = (part * 2000n + whole) / (whole * 2n);
  return `${tenths / 10n}.${tenths % 10n} %`;
}

function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

/* "file:line", with the column where the line is not enough. */
export function placeFile(place, file = place.file) {
  if (!file)
    return '';
  let text = file;
  if (place.line)
    text += `:${place.line}`;
  if (place.line && place.flags & FLAG.column)
    text += `:${place.column}`;
  return text;
}

/* "function (file:line)", and for a site what it allocates. */
export function placeLabel(place) {
  const file = placeFile(place, place.shortFile);
  let text = place.function;
  if (file)
    text += ` (${file})`;
  else if (place.module && !text.includes(baseName(place.module)))
    text += ` (${baseName(place.module)})`;
  if (place.kind)
    text += ` \u00b7 ${siteLabel(place)}`;
  if (place.flags & FLAG.inlined)
    text += ' \u00b7 inlined';
  return text;
}

export function siteLabel(place) {
  let text = place.kind;
  if (place.kind === 'via' && place.callee)
    text += ` ${place.callee}`;
  if (place.type)
    text += ` ${place.type}`;
  if (place.flags & FLAG.rest)
    text += ', further paths';
  return text;
}

export function itemLabel(model, item) {
  if (item.place === ROOT)
    return model.data.title;
  if (item.place === SMALL)
    return `other: ${formatExact(item.merged)} small`;
  return placeLabel(model.places[item.place]);
}

const REMARKS = [
  [FLAG.inlined, 'inlined into its caller'],
  [FLAG.tail, 'left by a jump: its frame was gone while the callee ran'],
  [FLAG.foreign, 'not compiled by benchmem-cc'],
  [FLAG.system, 'in a system header'],
  [FLAG.own, 'of benchmem, or before main'],
  [FLAG.rest, 'further paths of this site, beyond max_paths'],
  [FLAG.outside, 'no instrumented call above it'],
];

export function remarks(place) {
  return REMARKS.filter(([flag]) => place.flags & flag).map(([, text]) => text);
}
