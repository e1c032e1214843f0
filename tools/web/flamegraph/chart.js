/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Draws what layout.js chose with d3-flame-graph, which places and labels the
 * boxes. Zooming is done by laying out anew, so that what was too small to
 * draw appears: clicks are taken before d3-flame-graph sees them. Boxes are
 * reached by the keyboard as the items of a tree.
 */
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import { BOX } from './layout.js';

const CELL = 19;

/* Where an arrow key leads from a box, in the tree as it is drawn. */
function neighbour(node, key, icicle) {
  const down = icicle ? 'ArrowDown' : 'ArrowUp';
  const up = icicle ? 'ArrowUp' : 'ArrowDown';
  const siblings = node.parent ? node.parent.children : [node];
  const at = siblings.indexOf(node);

  if (key === up)
    return node.parent;
  if (key === down)
    return node.children ? node.children[0] : null;
  if (key === 'ArrowLeft')
    return siblings[at - 1] || null;
  if (key === 'ArrowRight')
    return siblings[at + 1] || null;
  if (key === 'Home')
    return siblings[0];
  if (key === 'End')
    return siblings[siblings.length - 1];
  return null;
}

/*
 * handlers: label(box), color(box), lit(box), activate(box), show(box, rect),
 * hide(). draw(tree, icicle) puts another tree into the element.
 */
export function makeChart(element, handlers) {
  let chart = null;
  let nodes = [];
  let current = null;
  let icicle = true;

  /* d3-flame-graph calls this as its tooltip; ours is handled below. */
  const noTip = () => {};
  noTip.show = () => {};
  noTip.hide = () => {};

  function make(width) {
    return flamegraph()
      .width(width)
      .cellHeight(CELL)
      .inverted(icicle)
      .transitionDuration(0)
      .minFrameSize(0.4)
      .resetHeightOnZoom(true)
      .tooltip(noTip)
      .getName((d) => handlers.label(d.data.box))
      .label((d) => handlers.label(d.data.box))
      .setColorMapper((d) => handlers.color(d.data.box));
  }

  function elementOf(node) {
    return element.querySelector(`#box-${node.id}`);
  }

  function choose(node, focus) {
    const old = current && elementOf(current);
    if (old)
      old.setAttribute('tabindex', '-1');
    current = node;
    const g = elementOf(node);
    if (!g)
      return;
    g.setAttribute('tabindex', '0');
    if (focus) {
      g.focus({ preventScroll: true });
      g.scrollIntoView({ block: 'nearest' });
    }
  }

  /*
   * What d3-flame-graph leaves out: roles, names and looks of the boxes. What
   * it would bring in by and by, widths and labels, is put in at once.
   */
  function finish() {
    nodes = [];
    select(element).selectAll('g.frame, g.frame *').interrupt();
    select(element).selectAll('g.frame').each(function each(d) {
      const { box } = d.data;
      nodes.push(d);
      this.id = `box-${d.id}`;
      this.querySelector('rect').setAttribute('width',
                                              this.getAttribute('width'));
      this.querySelector('.d3-flame-graph-label').textContent =
        handlers.label(box);
      this.setAttribute('role', 'treeitem');
      this.setAttribute('aria-level', d.depth + 1);
      this.setAttribute('aria-label', handlers.describe(box));
      this.setAttribute('tabindex', '-1');
      this.setAttribute('data-box', box.type);
      this.toggleAttribute('data-above', Boolean(box.ancestor));
      this.toggleAttribute('data-inlined', handlers.inlined(box));
      this.toggleAttribute('data-lit', handlers.lit(box));
    });
    const svg = element.querySelector('svg');
    svg.setAttribute('role', 'tree');
    svg.setAttribute('aria-label', 'call tree');
    current = null;
    const focus = nodes.find((d) => !d.data.box.ancestor) || nodes[0];
    if (focus)
      choose(focus, false);
  }

  function nodeAt(target) {
    const g = target.closest && target.closest('g.frame');
    return g ? select(g).datum() : null;
  }

  element.addEventListener('click', (event) => {
    const node = nodeAt(event.target);
    if (!node)
      return;
    event.stopPropagation();
    handlers.activate(node.data.box);
  }, true);

  element.addEventListener('mousemove', (event) => {
    const node = nodeAt(event.target);
    if (node)
      handlers.show(node.data.box, { x: event.clientX, y: event.clientY });
    else
      handlers.hide();
  });
  element.addEventListener('mouseleave', () => handlers.hide());

  element.addEventListener('focusin', (event) => {
    const node = nodeAt(event.target);
    if (!node)
      return;
    choose(node, false);
    if (!event.target.matches(':focus-visible'))
      return;
    const rect = event.target.getBoundingClientRect();
    handlers.show(node.data.box, { x: Math.max(rect.left, 0) + 24,
                                   y: rect.bottom });
  });
  element.addEventListener('focusout', () => handlers.hide());

  element.addEventListener('keydown', (event) => {
    if (!current || event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      handlers.activate(current.data.box);
      if (current)
        choose(current, true);
      return;
    }
    const next = neighbour(current, event.key, icicle);
    if (event.key.startsWith('Arrow') || next)
      event.preventDefault();
    if (next)
      choose(next, true);
  });

  return {
    draw(tree, asIcicle) {
      icicle = asIcicle;
      handlers.hide();
      if (chart)
        chart.destroy();
      chart = make(Math.max(element.clientWidth, 320));
      select(element).datum(tree).call(chart);
      finish();
    },
    nodes: () => nodes,
    BOX,
  };
}
