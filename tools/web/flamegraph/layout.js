/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Chooses the boxes to draw. The chart is SVG, so their number is bounded,
 * whatever the profile holds: what is narrower than a share of the focus is
 * gathered in one box "other" beside its siblings, and only so many levels
 * are drawn below the focus. Both can be opened by a click, so nothing is out
 * of reach, and the widths of siblings always add up to their parent's.
 *
 *   layout(tree, focus, limits) -> { name, value, box, children } for d3
 *
 * focus is {item, from}: an item of model.js, and the first of its children
 * to draw (above 0 where a box "other" was opened).
 */

export const BOX = {
  frame: 'frame',     /* box.item */
  other: 'other',     /* children of box.item from box.from on */
  deeper: 'deeper',   /* more levels below box.item */
  above: 'above',     /* box.hidden callers that are not drawn */
};

export const LIMITS = { share: 0.001, boxes: 2500, levels: 160, above: 3 };

function sumWidths(list, from) {
  let sum = 0;
  for (let i = from; i < list.length; i++)
    sum += list[i].width;
  return sum;
}

/* All below the focus that is at least `least` wide; null if too many. */
function descend(tree, focus, width, least, limits) {
  const top = { value: width, children: [] };
  let level = [{ into: top, item: focus.item, from: focus.from }];
  let count = 0;

  for (let depth = 0; level.length; depth++) {
    const below = [];
    for (const { into, item, from } of level) {
      const list = tree.children(item);
      if (from >= list.length)
        continue;
      if (depth === limits.levels) {
        into.children.push({ value: into.value, children: [],
                             box: { type: BOX.deeper, item } });
        count++;
        continue;
      }
      let i = from;
      for (; i < list.length && list[i].width >= least; i++) {
        const node = { value: list[i].width, children: [],
                       box: { type: BOX.frame, item: list[i] } };
        into.children.push(node);
        below.push({ into: node, item: list[i], from: 0 });
      }
      count += i - from;
      if (i < list.length) {
        into.children.push({ value: sumWidths(list, i), children: [],
                             box: { type: BOX.other, item, from: i } });
        count++;
      }
      if (count > limits.boxes)
        return null;
    }
    level = below;
  }
  return top;
}

/* The items from the root to the focus. */
function lineage(item) {
  const line = [];
  for (let it = item; it; it = it.up)
    line.push(it);
  return line.reverse();
}

/* Callers of the focus: the first, some box for the middle, the last few. */
function ancestorBoxes(focus, limits) {
  const line = lineage(focus.item);
  const boxes = line.map((item) => ({ type: BOX.frame, item, ancestor: true }));
  const hidden = boxes.length - limits.above - 2;
  if (hidden > 1)
    boxes.splice(1, hidden, { type: BOX.above, hidden, ancestor: true,
                              item: line[hidden] });
  boxes[boxes.length - 1].ancestor = false;
  if (focus.from > 0) {
    boxes[boxes.length - 1].ancestor = true;
    boxes.push({ type: BOX.other, item: focus.item, from: focus.from,
                 open: true });
  }
  return boxes;
}

export function layout(tree, focus, limits = LIMITS) {
  const width = focus.from > 0
    ? sumWidths(tree.children(focus.item), focus.from) : focus.item.width;
  let least = width * limits.share;
  let top = null;

  while (!(top = descend(tree, focus, width, least, limits)))
    least *= 2;

  const boxes = ancestorBoxes(focus, limits);
  let node = top;
  for (const box of boxes.reverse())
    node = node === top && !node.box
      ? Object.assign(node, { box })
      : { value: width, box, children: [node] };
  return { tree: node, least, width };
}
