/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-flamegraph's page, used as a reader of it would. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  launch, makeFolder, processorTime, run, runWithin, visit, writeHostile,
  writeSynthetic, writeTextProfile,
} from './browser.mjs';

const folder = makeFolder('flamegraph');
let browser;

before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const TREE = `program /opt/app
thread 100 main
thread 200 worker
block 1 : 3 300 200 100 : main at a.c:9:3 > grow at a.c:4:5 = malloc struct node
block 1 : 1 100 100 0 : main at a.c:9:3 > inlined pad at a.c:2:7 = calloc
block 2 : 9 500 50 50 : run at b.c:7:1 > grow at a.c:4:5 = malloc struct node
block 2 : 1 64 0 0 : run at b.c:8:1 > keep at b.c:3:1 = strdup
`;

/* Makes the page of a text profile; its path. */
function makePage(name, text, ...options) {
  const profile = join(folder, `${name}.bmem`);
  const page = join(folder, `${name}.html`);
  writeTextProfile(profile, text);
  run('benchmem-flamegraph', profile, '-q', '-f', '-o', page, ...options);
  return page;
}

/* Boxes that are drawn: label, row and share of the width. */
function boxes(page) {
  return page.$$eval('#chart g.frame', (list) => list.map((g) => {
    const box = g.querySelector('rect').getBoundingClientRect();
    const svg = g.ownerSVGElement.getBoundingClientRect();
    return {
      label: g.querySelector('.d3-flame-graph-label').textContent,
      aria: g.getAttribute('aria-label'),
      row: Math.round((box.top - svg.top) / 19),
      left: (box.left - svg.left) / svg.width,
      width: box.width / svg.width,
      lit: g.hasAttribute('data-lit'),
      inlined: g.hasAttribute('data-inlined'),
      above: g.hasAttribute('data-above'),
      fill: getComputedStyle(g.querySelector('rect')).fill,
    };
  }));
}

function labels(list) {
  return list.map((b) => b.label);
}

function find(list, label) {
  const found = list.find((b) => b.label.startsWith(label));
  assert.ok(found, `no box ${label} among ${labels(list).join(' | ')}`);
  return found;
}

function near(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) < 0.004,
            `${what}: ${actual} is not about ${expected}`);
}

async function metric(page, name) {
  await page.check(`input[name=metric][value=${name}]`, { force: true });
}

async function boxOf(page, label) {
  const ids = await page.$$eval('#chart g.frame', (list, wanted) => list
    .filter((g) => g.querySelector('.d3-flame-graph-label').textContent
      .startsWith(wanted)).map((g) => g.id), label);
  return page.locator(`#${ids[0]} rect`);
}

test('draws each frame as wide as what it held at the peak', async () => {
  await visit(browser, makePage('draws', TREE), async (page) => {
    const list = await boxes(page);

    near(find(list, 'app').width, 1, 'root');
    near(find(list, 'main (a.c:9)').width, 300 / 350, 'main');
    near(find(list, 'grow (a.c:4) \u00b7 malloc struct node').width, 200 / 350,
         'grow');
    near(find(list, 'run (b.c:7)').width, 50 / 350, 'run');
    assert.ok(find(list, 'pad (a.c:2)').inlined);
    assert.equal(find(list, 'app').row, 0);
    assert.equal(find(list, 'main').row, 1);
    assert.equal(labels(list).some((l) => l.startsWith('keep')), false);
    assert.equal(await page.textContent('#value-peak'), '350 B');
    assert.equal(await page.title(), 'app: memory flame graph');
  });
});

test('switches the metric', async () => {
  await visit(browser, makePage('metric', TREE), async (page) => {
    await metric(page, 'allocations');
    near(find(await boxes(page), 'run (b.c:7)').width, 9 / 14, 'run');
    await metric(page, 'live');
    near(find(await boxes(page), 'main').width, 100 / 150, 'main');
    await metric(page, 'allocated');
    near(find(await boxes(page), 'keep (b.c:3)').width, 64 / 964, 'keep');
    assert.equal(await page.textContent('#value-allocations'), '14');
  });
});

test('shows the metric that was asked for first', async () => {
  const page = makePage('at', TREE, '--at', 'total');
  await visit(browser, page, async (p) => {
    assert.ok(await p.isChecked('input[value=allocated]'));
  });
});

test('zooms by click, and out again', async () => {
  await visit(browser, makePage('zoom', TREE), async (page) => {
    await (await boxOf(page, 'main')).click();
    let list = await boxes(page);
    near(find(list, 'main').width, 1, 'main');
    near(find(list, 'grow').width, 200 / 300, 'grow');
    assert.ok(find(list, 'app').above);
    assert.equal(labels(list).some((l) => l.startsWith('run')), false);
    assert.match(await page.textContent('#status'),
                 /zoomed into main \(a\.c:9\), 300 B \(85\.7 %\)/);
    await page.click('#reset');
    list = await boxes(page);
    near(find(list, 'run').width, 50 / 350, 'run');
    assert.ok(await page.isDisabled('#reset'));
  });
});

test('is used by the keyboard alone', async () => {
  await visit(browser, makePage('keys', TREE), async (page) => {
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id),
                 'search');
    await page.focus('#chart g.frame[tabindex="0"]');
    await page.keyboard.press('ArrowDown');
    const label = () => page.evaluate(
      () => document.activeElement.getAttribute('aria-label'));
    assert.equal(await label(), 'main (a.c:9), 300 B, 85.7 %');
    await page.keyboard.press('ArrowRight');
    assert.match(await label(), /^run/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    near(find(await boxes(page), 'main').width, 1, 'main');
    assert.match(await label(), /^main/);
    await page.keyboard.press('Escape');
    near(find(await boxes(page), 'main').width, 300 / 350, 'main');
  });
});

test('searches and tells the share of what it finds', async () => {
  await visit(browser, makePage('search', TREE), async (page) => {
    await page.fill('#search', 'GROW');
    await page.waitForFunction(
      () => document.querySelector('#chart [data-lit]'));
    const list = await boxes(page);
    assert.deepEqual(list.filter((b) => b.lit).map((b) => b.label.slice(0, 4)),
                     ['grow', 'grow']);
    assert.equal(await page.textContent('#status'),
                 '2 of 5 frames match: 250 B, 71.4 %');
    await page.fill('#search', '/^(pad|run)$/');
    await page.waitForFunction(
      () => document.querySelectorAll('#chart [data-lit]').length === 2);
    await page.fill('#search', '/(/');
    await page.waitForFunction(
      () => document.querySelector('#search[aria-invalid]'));
    await page.fill('#search', '');
    await page.waitForFunction(
      () => !document.querySelector('#chart [data-lit]'));
  });
});

test('turns over, so that sites come first', async () => {
  await visit(browser, makePage('inverted', TREE), async (page) => {
    await page.check('#inverted');
    const list = await boxes(page);
    const grow = find(list, 'grow');
    near(grow.width, 250 / 350, 'grow');
    assert.equal(grow.row, 1);
    near(find(list, 'main').width, 200 / 350, 'main below grow');
    near(find(list, 'run').width, 50 / 350, 'run below grow');
  });
});

test('stands as a flame, too', async () => {
  await visit(browser, makePage('flame', TREE), async (page) => {
    await page.check('#flame');
    const list = await boxes(page);
    assert.ok(find(list, 'app').row > find(list, 'main').row);
    assert.ok(find(list, 'main').row > find(list, 'grow').row);
  });
});

test('shows one thread alone', async () => {
  await visit(browser, makePage('threads', TREE), async (page) => {
    await page.selectOption('#thread', { label: 'worker (200)' });
    const list = await boxes(page);
    near(find(list, 'run').width, 1, 'run');
    assert.equal(labels(list).some((l) => l.startsWith('main')), false);
    assert.equal(await page.textContent('#value-peak'), '50 B');
  });
});

test('says what a thread freed of others\' blocks', async () => {
  const text = `thread 1 main
thread 2 worker
block 1 : 3 30 30 30 : f at a.c:1 = malloc
block 2 : 1 5 5 5 : g at a.c:2 = malloc
block 2 : 0 0 -20 -20 : f at a.c:1 = malloc
`;
  await visit(browser, makePage('owed', text), async (page) => {
    near(find(await boxes(page), 'f (a.c:1)').width, 10 / 15, 'f');
    await page.selectOption('#thread', '1');
    assert.match(await page.textContent('#status'),
                 /this thread also freed 20 B of what others allocated/);
    near(find(await boxes(page), 'g (a.c:2)').width, 1, 'g');
  });
});

test('folds recursion', async () => {
  const text = `block 0 : 1 8 8 0 : main at a.c:9 > f at a.c:3 = malloc
block 0 : 1 4 4 0 : main at a.c:9 > f at a.c:5 > f at a.c:3 = malloc
block 0 : 1 4 4 0 : main at a.c:9 > f at a.c:5 > f at a.c:5 > f at a.c:3 = malloc
`;
  await visit(browser, makePage('fold', text), async (page) => {
    assert.equal((await boxes(page)).length, 7);
    await page.check('#fold');
    const list = await boxes(page);
    assert.deepEqual(labels(list), ['a.out', 'main (a.c:9)',
                                    'f (a.c:3) \u00b7 malloc']);
  });
  await visit(browser, makePage('folded', text, '--fold'), async (page) => {
    assert.ok(await page.isChecked('#fold'));
    assert.equal((await boxes(page)).length, 3);
  });
});

test('hides its own frames, unless asked', async () => {
  const text = `block 0 : 1 8 8 0 : _start at crt.c:1 > main at a.c:9 > \
__benchmem_enter at rt.c:2 > f at a.c:3 = malloc
`;
  const page = makePage('own', text);
  await visit(browser, page, async (p) => {
    assert.deepEqual(labels(await boxes(p)),
                     ['a.out', 'main (a.c:9)', 'f (a.c:3) \u00b7 malloc']);
    await p.check('#own');
    assert.equal((await boxes(p)).length, 5);
  });
});

test('leaves out system headers, and keeps their bytes', async () => {
  const text = `block 0 : 1 8 8 0 : main at a.cc:9 > inlined system grow at \
vector:3 > inlined system allocate at alloc.h:7 = new
`;
  await visit(browser, makePage('system', text), async (page) => {
    assert.equal((await boxes(page)).length, 4);
    await page.uncheck('#system');
    const list = await boxes(page);
    assert.deepEqual(labels(list), ['a.out', 'main (a.cc:9)']);
    near(list[1].width, 1, 'main');
  });
});

test('is dark where the reader wants it', async () => {
  const path = makePage('dark', TREE);
  const background = (page) => page.evaluate(
    () => getComputedStyle(document.body).backgroundColor);
  await visit(browser, path, async (page) => {
    const dark = await background(page);
    const fill = find(await boxes(page), 'main').fill;
    await page.click('#theme');
    assert.notEqual(await background(page), dark);
    assert.notEqual(find(await boxes(page), 'main').fill, fill);
    await page.click('#theme');
    assert.equal(await background(page), dark);
  }, { colorScheme: 'dark' });
});

test('tells all about a box beside the pointer', async () => {
  const source = join(folder, 'a.c');
  writeFileSync(source, 'int x;\nint y;\n\tp = malloc(sizeof *p); // <b>\n');
  const text = `block 0 : 3 3000000 3000000 0 : main at ${source}:3:6 = malloc \
struct node
`;
  await visit(browser, makePage('tip', text), async (page) => {
    await (await boxOf(page, 'main')).hover();
    const tip = await page.textContent('#tip');
    for (const part of ['main', `${source}:3:6`, 'p = malloc(sizeof *p); // <b>',
                        'struct node', '2.9 MiB (3\u202f000\u202f000 B)',
                        '100.0 %'])
      assert.ok(tip.includes(part), `${part} is not in ${tip}`);
  });
  const silent = makePage('no-source', text, '--no-source');
  assert.equal(readFileSync(silent, 'utf8').includes('sizeof *p'), false);
});

test('shows names as they are, whatever they hold', async () => {
  const evil = '</script><script>document.title="bad"</script><img src=x '
    + 'onerror=console.error(1)>';
  const text = `program /opt/${evil.replace(/\//g, '')}
block 0 : 1 8 8 0 : main<&"'> at ${evil}.c:9 > \u202e\u0001na\u00efve at \
a.c:3 = malloc ${evil}
`;
  await visit(browser, makePage('hostile', text), async (page) => {
    assert.equal(await page.evaluate(() => document.images.length), 0);
    const list = await boxes(page);
    find(list, 'main<&"\'>');
    find(list, '\\xe2\\x80\\xae\\x01na\u00efve (a.c:3)');
    await (await boxOf(page, 'main')).hover();
    assert.ok((await page.textContent('#tip')).includes('</script>'));
    assert.match(await page.title(), /memory flame graph$/);
  });
});

test('obeys no text of a profile', async () => {
  const profile = join(folder, 'every-text.bmem');
  const page = join(folder, 'every-text.html');
  writeHostile(profile);
  run('benchmem-flamegraph', profile, '--process', '-q', '-f', '-o', page);
  const harmless = makePage('harmless', TREE);
  const count = (opened) => opened.evaluate(() => ({
    scripts: document.scripts.length,
    images: document.images.length,
    frames: document.querySelectorAll('iframe, object, embed').length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((a) => a.startsWith('on'))).length,
  }));
  let expected;
  await visit(browser, harmless, async (opened) => {
    expected = await count(opened);
  });
  await visit(browser, page, async (opened) => {
    opened.on('dialog', () => assert.fail('a dialog'));
    assert.deepEqual(await count(opened), expected);
    const list = await boxes(opened);
    for (const name of ['</script><script>alert(1)</script>', '<!--<script>',
                        '=HYPERLINK(', '__proto__', '\\x1b[31mred'])
      find(list, name);
    for (const id of await opened.$$eval('#chart g.frame',
                                         (all) => all.map((g) => g.id)))
      await opened.locator(`#${id} rect`).hover({ force: true });
    assert.deepEqual(await count(opened), expected);
  });
});

test('keeps every digit above 2^53', async () => {
  const text = `block 0 : 1 9007199254740993 9007199254740993 0 : f at a.c:1 = \
malloc
block 0 : 1 18437736874454810622 9007199254740993 0 : g at a.c:2 = malloc
`;
  await visit(browser, makePage('huge', text), async (page) => {
    const list = await boxes(page);
    near(find(list, 'f').width, 0.5, 'f');
    await (await boxOf(page, 'f')).hover();
    assert.match((await page.textContent('#tip')).replace(/\u202f/g, ''),
                 /9007199254740993 B/);
    await metric(page, 'allocated');
    await (await boxOf(page, 'g')).hover();
    assert.match((await page.textContent('#tip')).replace(/\u202f/g, ''),
                 /18437736874454810622 B/);
    await (await boxOf(page, 'a.out')).hover();
    assert.match((await page.textContent('#tip')).replace(/\u202f/g, ''),
                 /18446744073709551615 B/);
  });
});

test('says that nothing is there', async () => {
  const text = 'block 0 : 1 8 0 8 : f at a.c:1 = malloc\n';
  await visit(browser, makePage('nothing', text), async (page) => {
    assert.equal(await page.textContent('#empty'),
                 'Nothing was held at the peak.');
    await metric(page, 'live');
    near(find(await boxes(page), 'f').width, 1, 'f');
  });
});

test('compares: red grew, blue shrank', async () => {
  const base = join(folder, 'base.bmem');
  writeTextProfile(base, `block 0 : 1 8 100 0 : main at a.c:9 > f at a.c:1 = malloc
block 0 : 1 8 100 0 : main at a.c:9 > g at a.c:2 = malloc
block 0 : 1 8 100 0 : main at a.c:9 > gone at a.c:3 = malloc
`);
  const path = makePage('diff', `block 0 : 1 8 300 0 : main at a.c:19 > f at a.c:11 = malloc
block 0 : 1 8 50 0 : main at a.c:19 > g at a.c:12 = malloc
block 0 : 1 8 50 0 : main at a.c:19 > fresh at a.c:14 = malloc
`, '--diff', base);
  const redder = (fill) => {
    const [r, , b] = fill.match(/\d+/g).map(Number);
    return r - b;
  };
  await visit(browser, path, async (page) => {
    let list = await boxes(page);
    near(find(list, 'f (a.c:11)').width, 300 / 400, 'f after');
    assert.ok(redder(find(list, 'f (a.c:11)').fill) > 40);
    assert.ok(redder(find(list, 'g (a.c:12)').fill) < -40);
    assert.ok(redder(find(list, 'fresh').fill) > 40);
    assert.match(await page.textContent('#value-peak'),
                 /400 B \(\+100 B\)/);
    await page.selectOption('#widths', 'before');
    list = await boxes(page);
    near(find(list, 'gone').width, 1 / 3, 'gone before');
    assert.ok(redder(find(list, 'gone').fill) < -40);
    await page.selectOption('#widths', 'change');
    near(find(await boxes(page), 'f').width, 200 / 400, 'change of f');
    await (await boxOf(page, 'f')).hover();
    const tip = await page.textContent('#tip');
    for (const part of ['line 1 before', '+200 B', '200.0 %'])
      assert.ok(tip.includes(part), `${part} is not in ${tip}`);
  });
});

test('opens 100,000 paths and a depth of 5,000 within 3 s', async () => {
  const profile = join(folder, 'big.bmem');
  const path = join(folder, 'big.html');
  writeSynthetic(profile, 'sites=20000', 'paths=100000', 'depth=5000',
                 'threads=4');
  runWithin(2, 'benchmem-flamegraph', profile, '-q', '-o', path);
  const report = JSON.parse(run('benchmem-report', '--format', 'json', profile));
  await visit(browser, path, async (page) => {
    const list = await boxes(page);
    const opened = await processorTime(page);
    assert.ok(list.length > 100 && list.length < 4000, `${list.length} boxes`);
    near(list.filter((b) => b.row === 1)
      .reduce((sum, b) => sum + b.width, 0), 1, 'first row');
    /* Widths add up to the peak, to the byte. */
    await (await boxOf(page, 'synthetic')).hover();
    assert.ok((await page.textContent('#tip')).replace(/\u202f/g, '')
      .includes(`(${report.totals.peak_bytes} B)`));
    for (const name of ['inverted', 'fold']) {
      const start = await processorTime(page);
      await page.check(`#${name}`);
      await boxes(page);
      const took = await processorTime(page) - start;
      assert.ok(took < 3, `${name}: ${took} s`);
    }
    console.log(`page of ${list.length} boxes opened in ${opened} s`);
    assert.ok(opened < 3, `opened in ${opened} s`);
  });
});

test('leads to the bottom of a deep stack', async () => {
  const frames = Array.from({ length: 5000 }, (_, i) => `f${i} at a.c:${i + 1}`);
  const text = `block 0 : 1 8 8 0 : ${frames.join(' > ')} = malloc\n`;
  await visit(browser, makePage('deep', text), async (page) => {
    for (let i = 0; i < 40; i++) {
      const deeper = page.locator('#chart g[data-box=deeper] rect');
      if (!await deeper.count())
        break;
      await deeper.click();
    }
    const list = await boxes(page);
    near(find(list, 'f4999').width, 1, 'the last frame');
    assert.ok(labels(list).some((l) => /more callers/.test(l)));
    await page.keyboard.press('Escape');
    assert.ok(find(await boxes(page), 'f4999'));
  });
});

test('gathers what is small, and opens it', async () => {
  const lines = ['block 0 : 1 1000000 1000000 0 : main at a.c:1 > big at a.c:2 = malloc'];
  for (let i = 0; i < 400; i++)
    lines.push(`block 0 : 1 100 100 0 : main at a.c:1 > s${i} at a.c:${i + 3} = malloc`);
  await visit(browser, makePage('small', `${lines.join('\n')}\n`), async (page) => {
    const other = find(await boxes(page), 'other: 400 small');
    near(other.width, 40000 / 1040000, 'other');
    await (await boxOf(page, 'other')).click();
    const list = await boxes(page);
    near(find(list, 's0 (a.c:3)').width, 1 / 400, 's0');
    assert.equal(list.filter((b) => /^s\d/.test(b.label)).length, 400);
  });
});

test('needs no network and holds its licences', () => {
  const html = readFileSync(makePage('offline', TREE), 'utf8');

  assert.equal(/(src|href)\s*=\s*"?'?\s*https?:/i.test(html), false);
  for (const name of ['d3-flame-graph 5.0.0', 'd3-selection 3.0.0'])
    assert.ok(html.includes(name), name);
  assert.ok(html.includes('Apache License'));
  assert.ok(html.includes('default-src \'none\''));
  assert.ok(existsSync(join(folder, 'offline.bmem')));
});
