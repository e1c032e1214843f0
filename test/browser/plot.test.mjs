/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-plot's pages, each view opened as a reader of it would. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, makeFolder, run, visit } from './browser.mjs';

const folder = makeFolder('plot');
let browser;

before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

function benchmark(name, params, peak) {
  const list = Object.entries(params).map(([k, v]) => `${k}=${v}`);
  return {
    id: `bench.c::${name}${list.length ? `[${list.join(',')}]` : ''}`,
    name, file: 'bench.c', line: 3, params,
    passes: [{ peak_bytes: peak, allocated_bytes: 2 * peak,
               allocations: 7, retained_bytes: 0 }],
  };
}

/* A run as benchmem-report --format json writes it; its path. */
function writeRun(name, benchmarks) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ schema_version: 1, benchmarks }));
  return path;
}

const SIZES = [100, 1000, 10000];
const HOSTILE = '</script><script>alert(1)</script><!--&"\'\u202e';

/* sort grows as n, zero holds nothing, and one has a name that must be escaped. */
function suite(scale) {
  return [
    ...SIZES.map((n) => benchmark('bench_sort', { n }, scale * n * 48)),
    ...SIZES.map((n) => benchmark('bench_zero', { n }, 0)),
    benchmark(`bench_${HOSTILE}`, { n: 100 }, 640),
  ];
}

function makePage(name, ...args) {
  const page = join(folder, `${name}.html`);
  run('benchmem-plot', '-q', '-f', '-o', page, ...args);
  return page;
}

async function drawn(page) {
  await page.waitForSelector('body[data-drawn]');
  assert.ok(await page.isHidden('#error'));
}

/* Texts that the picture shows. */
function texts(page) {
  return page.$$eval('#chart svg text', (list) =>
    list.map((t) => t.textContent));
}

/* Marks by what they say of themselves. */
function marks(page, role) {
  return page.$$eval(`#chart svg [aria-roledescription="${role}"]`,
                     (list) => list.map((m) => m.getAttribute('aria-label')));
}

test('scaling draws every value, zeros too, with units on both axes', async () => {
  const page = makePage('scaling', writeRun('one', suite(1)));
  await visit(browser, page, async (p) => {
    await drawn(p);
    const shown = await texts(p);
    assert.ok(shown.includes('n') && shown.includes('peak'), shown.join());
    assert.ok(shown.includes('0') && shown.some((t) => /KiB$/.test(t)));
    assert.equal((await marks(p, 'point')).length, 7);
    assert.ok(shown.includes('n^1.00 ± 0.00'), shown.join());
  });
});

test('names from a run are text, never markup', async () => {
  const page = makePage('hostile', writeRun('hostile', suite(1)), '--where',
                        'n=100');
  assert.ok(!readFileSync(page, 'utf8').includes('<script>alert'));
  await visit(browser, page, async (p) => {
    await drawn(p);
    assert.ok((await texts(p)).some((t) => t.includes('</script>')));
  });
});

test('scatter puts base to the right and the ratio up', async () => {
  const page = makePage('scatter', writeRun('old', suite(1)),
                        writeRun('new', [...suite(2).slice(0, 6),
                                         benchmark('bench_new', { n: 1 }, 9)]));
  await visit(browser, page, async (p) => {
    await drawn(p);
    const shown = await texts(p);
    assert.ok(shown.includes('new / old') && shown.includes('peak of old'));
    assert.ok(shown.some((t) => t.includes('1 only in new, not drawn')));
    assert.ok(shown.includes('x2'));
    assert.equal((await marks(p, 'point')).length, 6);
  });
});

test('scatter of three runs has a slider', async () => {
  const page = makePage('slider', writeRun('r1', suite(1)),
                        writeRun('r2', suite(2)), writeRun('r3', suite(3)),
                        '--view', 'scatter');
  await visit(browser, page, async (p) => {
    await drawn(p);
    const before = await marks(p, 'point');
    assert.equal(before.length, 7);
    await p.locator('input[type=range]').fill('1');
    assert.equal((await marks(p, 'point')).length, 7);
    assert.notDeepEqual(await marks(p, 'point'), before);
  });
});

test('compare ranks by the change in bytes', async () => {
  const page = makePage('compare', writeRun('c1', suite(1)),
                        writeRun('c2', suite(3)), '--view', 'compare');
  await visit(browser, page, async (p) => {
    await drawn(p);
    const rows = (await texts(p)).filter((t) => t.startsWith('bench.c::'));
    assert.equal(rows[0], 'bench.c::bench_sort[n=10000]');
    assert.ok((await texts(p)).includes('+200.0 %'));
  });
});

test('sweep has a cell for each benchmark and run', async () => {
  const page = makePage('sweep', writeRun('v1', suite(1)),
                        writeRun('v2', suite(2)),
                        writeRun('v3', suite(0.5).slice(0, 6)),
                        '-l', '0.6', '-l', '0.7', '-l', '0.8');
  await visit(browser, page, async (p) => {
    await drawn(p);
    const shown = await texts(p);
    for (const text of ['0.6', '0.8', 'x2', 'x0.5', 'absent'])
      assert.ok(shown.includes(text), `${text} in ${shown.join('|')}`);
    /* A grey cell under each, and a colour on those that can be compared. */
    assert.equal((await p.$$('#chart svg .mark-rect.role-mark path')).length,
                 21 + 20);
  });
});

test('facets are panels, each with its own axis where asked', async () => {
  const page = makePage('facets', writeRun('f', suite(1)), '--facet',
                        'node.func', '--free-axes', 'y');
  await visit(browser, page, async (p) => {
    await drawn(p);
    const shown = await texts(p);
    assert.ok(shown.includes('bench_sort') && shown.includes('bench_zero'));
    assert.equal(shown.filter((t) => t === 'peak').length, 3);
  });
});

/* Every view with what is hard to draw; runs by what is in them. */
const many = (scale) => Array.from({ length: 10000 }, (_, n) =>
  benchmark('bench_many', { n: n + 1 }, Math.round((n + 1) * scale)));
const HARD = {
  zeros: (scale) => [...SIZES.map((n) => benchmark('bench_zero', { n }, 0)),
                     benchmark('bench_some', { n: 5 }, scale > 1 ? 64 : 0)],
  one: (scale) => [benchmark('bench_sort', { n: 100 }, 48 * scale)],
  many,
  hostile: (scale) => [1, 2, 3].map((n) =>
    benchmark(`bench_${HOSTILE}`, { n, '</script>': '<img src=x>' }, n * scale * 100)),
};
const VIEWS = {
  scaling: [1], bars: [1], scatter: [1, 1.5], compare: [1, 1.5],
  sweep: [1, 1.5, 0.5],
};

/* Without a parameter that is a number, scaling draws bars. */
function forBars(list) {
  return list.map((b) => {
    const params = Object.fromEntries(
      Object.entries(b.params).map(([k, v]) => [k, `_${v}`]));
    return benchmark(b.name, params, b.passes[0].peak_bytes);
  });
}

for (const [view, scales] of Object.entries(VIEWS)) {
  for (const [what, make] of Object.entries(HARD)) {
    test(`${view} draws ${what}`, async () => {
      const runs = scales.map((scale, i) => writeRun(
        `${view}-${what}-${i}`,
        view === 'bars' ? forBars(make(scale)) : make(scale)));
      const options = what === 'hostile' && view === 'scaling' ? ['--x', 'n'] : [];
      const page = makePage(`${view}-${what}`, ...runs, '--view',
                            view === 'bars' ? 'scaling' : view, ...options);
      await visit(browser, page, async (p) => {
        await drawn(p);
        const box = await p.$eval('#chart svg, #chart canvas', (c) => {
          const { width, height } = c.getBoundingClientRect();
          return { width, height };
        });
        assert.ok(box.width > 200 && box.height > 40, JSON.stringify(box));
      });
    });
  }
}

test('the menu at the top right saves the picture', async () => {
  const page = makePage('menu', writeRun('m', suite(1).slice(0, 1)));
  await visit(browser, page, async (p) => {
    await drawn(p);
    const fits = () => p.$eval('#chart', (m) => m.scrollHeight <= m.clientHeight);
    const chart = await p.locator('#chart').boundingBox();
    const menu = p.locator('#chart details');
    const box = await menu.boundingBox();
    assert.ok(box.y < chart.y + 10 && box.x > chart.x + chart.width - 60);
    assert.ok(await fits());
    await menu.locator('summary').click();
    const links = menu.locator('a');
    assert.deepEqual(await links.allTextContents(), ['Save as SVG', 'Save as PNG']);
    assert.ok(await fits());
    for (const [name, begins] of [['svg', '<svg'], ['png', '\x89PNG']]) {
      const waits = p.waitForEvent('download');
      await links.nth(name === 'svg' ? 0 : 1).click();
      const download = await waits;
      assert.ok(download.suggestedFilename().endsWith(`.${name}`));
      const saved = readFileSync(await download.path(), 'latin1');
      assert.ok(saved.startsWith(begins), saved.slice(0, 40));
    }
  });
});

test('one benchmark alone is named under the title', async () => {
  const one = (scale) => suite(scale).slice(0, 3);
  for (const scales of [[1], [1, 2]]) {
    const page = makePage(`alone-${scales.length}`, '--view', 'scaling',
                          ...scales.map((s) => writeRun(`alone-${s}`, one(s))));
    await visit(browser, page, async (p) => {
      await drawn(p);
      assert.ok((await texts(p)).some((t) => t.includes('bench_sort')));
    });
  }
});

test('in the dark the text is light', async () => {
  const page = makePage('dark', writeRun('d', suite(1)));
  await visit(browser, page, async (p) => {
    await drawn(p);
    const fill = await p.$eval('#chart svg text', (t) => t.getAttribute('fill'));
    assert.equal(fill, '#e9e5df');
  }, { colorScheme: 'dark' });
});
