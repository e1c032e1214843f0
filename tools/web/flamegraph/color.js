/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Colours of the boxes. Frames take a warm one by their file, sites that
 * allocate a green one, foreign code a grey blue. Where two profiles are
 * compared, red grew and blue shrank, the stronger the larger the change is
 * out of the larger of both.
 */
import { BOX } from './layout.js';
import { FLAG, SMALL } from './model.js';

const THEMES = {
  light: {
    frame: (h) => `hsl(${18 + (h % 38)} ${78 + (h % 13)}% ${71 + (h % 9)}%)`,
    site: (h) => `hsl(${148 + (h % 32)} 48% ${66 + (h % 8)}%)`,
    foreign: (h) => `hsl(${212 + (h % 18)} 26% ${76 + (h % 6)}%)`,
    plain: 'hsl(30 8% 85%)',
    root: 'hsl(36 30% 88%)',
    change: (hue, share) => `hsl(${hue} ${20 + 65 * share}% ${90 - 28 * share}%)`,
  },
  dark: {
    frame: (h) => `hsl(${14 + (h % 36)} ${42 + (h % 12)}% ${29 + (h % 8)}%)`,
    site: (h) => `hsl(${150 + (h % 30)} 42% ${26 + (h % 7)}%)`,
    foreign: (h) => `hsl(${212 + (h % 18)} 22% ${31 + (h % 6)}%)`,
    plain: 'hsl(30 4% 27%)',
    root: 'hsl(36 8% 24%)',
    change: (hue, share) => `hsl(${hue} ${10 + 60 * share}% ${26 + 12 * share}%)`,
  },
};

const RED = 6;
const BLUE = 214;

/* FNV-1a, 32 bits: any that spreads short names will do. */
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h >>> 4;
}

export function shareOfChange(before, after) {
  const larger = before > after ? before : after;
  if (larger === 0n || before === after)
    return 0;
  const share = Number((after - before) * 1000n / larger) / 1000;
  return share === 0 ? (after > before ? 0.001 : -0.001) : share;
}

function changeColor(theme, item) {
  const share = shareOfChange(item.before, item.after);
  if (share === 0)
    return theme.plain;
  /* A small change must still be seen to be one. */
  return theme.change(share > 0 ? RED : BLUE, 0.15 + 0.85 * Math.abs(share));
}

export function colorOf(model, box, dark) {
  const theme = dark ? THEMES.dark : THEMES.light;

  if (box.type !== BOX.frame || box.item.place === SMALL)
    return theme.plain;
  if (model.base)
    return changeColor(theme, box.item);
  if (box.item.place < 0)
    return theme.root;
  const place = model.places[box.item.place];
  const h = hash(place.file || place.module || place.function);
  if (place.kind)
    return theme.site(h);
  return place.flags & FLAG.foreign ? theme.foreign(h) : theme.frame(h);
}
