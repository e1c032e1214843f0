/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The call tree as the page holds it: flat arrays, made from the data block
 * that benchmem-flamegraph writes, and reshaped as the reader of the page
 * asks. Nothing here recurses and nothing touches the document.
 *
 *   load(data)             the model: one array for each field
 *   reshape(model, view)   without hidden frames, recursion folded
 *   weigh(shape, view)     bytes and calls by node, for one metric and thread
 *   topDown, bottomUp      what the chart walks: items and their children
 *
 * Values are BigInt, two's complement in 64 bits as the tool counts them, so
 * no digit is lost above 2^53; widths are ordinary numbers.
 */

export const FLAG = {
  inlined: 1, tail: 2, foreign: 4, own: 8, rest: 16, column: 32, outside: 64,
  system: 128,
};

/* Places that stand for no frame. */
export const ROOT = -1;
export const SMALL = -2; /* what the tool merged below its threshold */

export const METRICS = ['peak', 'allocated', 'allocations', 'live'];

/* Metrics of which one thread's share can be below zero. */
const SIGNED = new Set(['peak', 'live']);

function loadEntries(raw) {
  const entries = {
    node: Int32Array.from(raw.node),
    thread: Int32Array.from(raw.thread),
  };
  for (const metric of METRICS) {
    const values = new BigInt64Array(raw.node.length);
    raw[metric].forEach((value, i) => { values[i] = BigInt(value); });
    entries[metric] = values;
  }
  return entries;
}

function loadPlaces(raw, strings) {
  const text = (index) => (index < 0 ? null : strings[index]);
  return raw.function.map((name, i) => ({
    function: text(name),
    file: text(raw.file[i]),
    shortFile: text(raw.short_file[i]),
    line: raw.line[i],
    column: raw.column[i],
    flags: raw.flags[i],
    routine: raw.routine[i],
    module: text(raw.module[i]),
    kind: text(raw.kind[i]),
    callee: text(raw.callee[i]),
    type: text(raw.type[i]),
    size: text(raw.size[i]),
    count: text(raw.count[i]),
    source: text(raw.source[i]),
    baseLine: raw.base_line ? raw.base_line[i] : 0,
  }));
}

export function load(data) {
  return {
    data,
    parent: Int32Array.from(data.nodes.parent),
    place: Int32Array.from(data.nodes.place),
    merged: new Map(data.small.node.map((n, i) => [n, data.small.leaves[i]])),
    places: loadPlaces(data.places, data.strings),
    head: loadEntries(data.entries),
    base: data.base ? loadEntries(data.base.entries) : null,
  };
}

/* Every child's index is above its parent's, here and in what reshape makes. */
function listChildren(parent) {
  const first = new Int32Array(parent.length).fill(-1);
  const next = new Int32Array(parent.length).fill(-1);
  for (let n = parent.length - 1; n > 0; n--) {
    next[n] = first[parent[n]];
    first[parent[n]] = n;
  }
  return { first, next };
}

function finishShape(model, parent, place, merged, nodeOf) {
  const depth = new Int32Array(parent.length);
  for (let n = 1; n < parent.length; n++)
    depth[n] = depth[parent[n]] + 1;
  return { model, parent, place, merged, nodeOf, depth,
           ...listChildren(parent) };
}

/*
 * The tree without the frames that have a flag of view.hide, and with view.fold
 * with each function at most once on a path: a call of one that is already
 * there goes back to where it was first. What belongs to a hidden leaf
 * belongs to its caller.
 */
export function reshape(model, view) {
  const { parent, place, places } = model;
  if (!view.fold && !places.some((p) => p.flags & view.hide))
    return finishShape(model, parent, place, model.merged, null);

  const nodeOf = new Int32Array(parent.length);
  const newParent = [0];
  const newPlace = [ROOT];
  const merged = new Map();
  const known = new Map();
  const routineOf = (n) =>
    (newPlace[n] >= 0 ? places[newPlace[n]].routine : -1);

  for (let n = 1; n < parent.length; n++) {
    let up = nodeOf[parent[n]];
    const p = place[n];
    if (p >= 0 && places[p].flags & view.hide) {
      nodeOf[n] = up;
      continue;
    }
    if (p >= 0 && view.fold) {
      for (let a = up; a > 0; a = newParent[a])
        if (routineOf(a) === places[p].routine)
          up = newParent[a];
    }
    const key = up * (places.length + 2) + p + 2;
    let node = known.get(key);
    if (node === undefined) {
      node = newParent.length;
      newParent.push(up);
      newPlace.push(p);
      known.set(key, node);
    }
    nodeOf[n] = node;
    if (model.merged.has(n))
      merged.set(node, (merged.get(node) || 0) + model.merged.get(n));
  }
  return finishShape(model, Int32Array.from(newParent),
                     Int32Array.from(newPlace), merged, nodeOf);
}

export function toNumber(value) {
  return Number(value);
}

/*
 * Own values and totals of one side by node. One thread's share of a node can
 * be below zero, where it freed what others had allocated: that is drawn as
 * nothing, and added up in owed.
 */
function weighSide(shape, entries, view) {
  const own = new BigInt64Array(shape.parent.length);
  const values = entries[view.metric];
  let owed = 0n;

  for (let i = 0; i < values.length; i++) {
    if (view.thread >= 0 && entries.thread[i] !== view.thread)
      continue;
    const raw = entries.node[i];
    own[shape.nodeOf ? shape.nodeOf[raw] : raw] += values[i];
  }
  if (SIGNED.has(view.metric)) {
    for (let n = 0; n < own.length; n++) {
      if (own[n] < 0n) {
        owed -= own[n];
        own[n] = 0n;
      }
    }
  }
  const total = own.slice();
  for (let n = total.length - 1; n > 0; n--)
    total[shape.parent[n]] += total[n];
  return { own, total, owed };
}

/* Widths of a page that compares: of the second profile, the first, or both. */
export const WIDTHS = ['after', 'before', 'change'];

export function unsigned(value) {
  return BigInt.asUintN(64, value);
}

export function weigh(shape, view) {
  const after = weighSide(shape, shape.model.head, view);
  const before = shape.model.base
    ? weighSide(shape, shape.model.base, view) : null;
  const own = new Float64Array(shape.parent.length);

  for (let n = 0; n < own.length; n++) {
    const a = Number(unsigned(after.own[n]));
    const b = before ? Number(unsigned(before.own[n])) : 0;
    own[n] = !before || view.widths === 'after' ? a
      : view.widths === 'before' ? b : Math.abs(a - b);
  }
  const width = own.slice();
  for (let n = width.length - 1; n > 0; n--)
    width[shape.parent[n]] += width[n];
  return { shape, after, before, ownWidth: own, width };
}

function compareItems(a, b) {
  return b.width - a.width || a.order - b.order;
}

/* Items of the tree as it is: frames below their callers. */
export function topDown(weights) {
  const { shape } = weights;
  const items = new Map();

  function item(n, up) {
    let it = items.get(n);
    if (!it) {
      it = {
        up, order: n, place: shape.place[n], node: n,
        merged: shape.merged.get(n) || 0,
        width: weights.width[n],
        after: unsigned(weights.after.total[n]),
        before: weights.before ? unsigned(weights.before.total[n]) : null,
        own: unsigned(weights.after.own[n]),
        list: null,
      };
      items.set(n, it);
    }
    return it;
  }

  return {
    root: item(0, null),
    children(it) {
      if (!it.list) {
        it.list = [];
        for (let c = shape.first[it.node]; c >= 0; c = shape.next[c])
          if (weights.width[c] > 0)
            it.list.push(item(c, it));
        it.list.sort(compareItems);
      }
      return it.list;
    },
  };
}

/*
 * Items of the tree turned over: sites first, their callers below them. Each
 * item holds the leaves that it stands for, and how far up each has come.
 * Only what is looked at is made.
 */
export function bottomUp(weights) {
  const { shape } = weights;
  let order = 0;

  function gather(up, starts) {
    const groups = new Map();
    for (const [leaf, at] of starts) {
      if (at === 0)
        continue;
      const place = shape.place[at];
      let it = groups.get(place);
      if (!it) {
        it = { up, order: order++, place, node: at, merged: 0, width: 0,
               after: 0n, before: weights.before ? 0n : null, own: null,
               pairs: [], list: null };
        groups.set(place, it);
      }
      it.width += weights.ownWidth[leaf];
      it.after += unsigned(weights.after.own[leaf]);
      if (weights.before)
        it.before += unsigned(weights.before.own[leaf]);
      if (leaf === at)
        it.merged += shape.merged.get(leaf) || 0;
      it.pairs.push([leaf, shape.parent[at]]);
    }
    return [...groups.values()].sort(compareItems);
  }

  const root = {
    up: null, order: order++, place: ROOT, node: 0, merged: 0,
    width: weights.width[0],
    after: unsigned(weights.after.total[0]),
    before: weights.before ? unsigned(weights.before.total[0]) : null,
    own: null, pairs: null, list: null,
  };

  return {
    root,
    children(it) {
      if (it === root && !it.list) {
        const starts = [];
        for (let n = 1; n < shape.parent.length; n++)
          if (weights.ownWidth[n] > 0)
            starts.push([n, n]);
        it.list = gather(it, starts);
      } else if (!it.list) {
        it.list = gather(it, it.pairs);
      }
      return it.list;
    },
  };
}

/*
 * What a search finds, matches having a flag for each place: how many frames
 * match, out of how many, and the total of the paths that go through any.
 */
export function search(weights, matches) {
  const { shape } = weights;
  const covered = new Uint8Array(shape.parent.length);
  let frames = 0;
  let all = 0;
  let sum = 0n;

  for (let n = 1; n < covered.length; n++) {
    const hit = shape.place[n] >= 0 && matches[shape.place[n]];
    if (weights.width[n] > 0) {
      frames += hit ? 1 : 0;
      all++;
    }
    if (covered[shape.parent[n]]) {
      covered[n] = 1;
    } else if (hit) {
      covered[n] = 1;
      sum += unsigned(weights.after.total[n]);
    }
  }
  return { frames, all, sum };
}

/* One flag for each place: whether the text occurs in what is known of it. */
export function matchPlaces(model, text) {
  const pattern = /^\/(.+)\/$/.exec(text);
  let test = (s) => s.toLowerCase().includes(text.toLowerCase());
  if (pattern) {
    const expression = new RegExp(pattern[1], 'i');
    test = (s) => expression.test(s);
  }
  return model.places.map((p) =>
    [p.function, p.file ? `${p.file}:${p.line}` : null, p.module, p.kind,
     p.callee, p.type].some((s) => s && test(s)));
}
