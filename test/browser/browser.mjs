/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opens pages in Chromium and holds them to what every page must keep: no
 * error and no warning on the console, nothing refused by the page's own
 * policy, and no request for anything but the file itself.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { BT_BIN, BT_TEST, BT_MODULES, BT_CHROMIUM, BT_OUTPUT } = process.env;
const require = createRequire(join(BT_MODULES, 'none.js'));
const { chromium } = require('playwright-core');

export const output = BT_OUTPUT;

/* An empty folder for the outputs of one file of tests. */
export function makeFolder(name) {
  const folder = join(BT_OUTPUT, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/* Runs a command of the build; its standard output. */
export function run(name, ...args) {
  return execFileSync(join(BT_BIN, name), args,
                      { encoding: 'utf8', maxBuffer: 1 << 28,
                        stdio: ['ignore', 'pipe', 'pipe'] });
}

/* The same, which fails where it takes more processor time than that. */
export function runWithin(seconds, name, ...args) {
  execFileSync('sh', ['-c', 'ulimit -t $0 && exec "$@"', `${seconds}`,
                      join(BT_BIN, name), ...args],
               { stdio: ['ignore', 'ignore', 'pipe'] });
}

/*
 * Seconds of processor time that a page's process has used: what a clock on
 * the wall says is also the business of whatever else the machine does.
 */
export async function processorTime(page) {
  const session = await page.context().newCDPSession(page);

  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find((m) => m.name === 'ProcessTime').value;
}

/* A profile of make_text_profile or make_profile, written to path. */
export function writeTextProfile(path, text) {
  writeFileSync(path, execFileSync(join(BT_TEST, 'make_text_profile'),
                                   { input: text, maxBuffer: 1 << 28 }));
}

export function writeSynthetic(path, ...options) {
  writeFileSync(path, execFileSync(join(BT_TEST, 'make_profile'), options,
                                   { maxBuffer: 1 << 30 }));
}

/* The profile of make_hostile_profile: every text tries to be more. */
export function writeHostile(path) {
  writeFileSync(path, execFileSync(join(BT_TEST, 'make_hostile_profile')));
}

/* Milliseconds: what hangs is ended; a busy machine may take its time. */
const PATIENCE = 120_000;

export function launch() {
  return chromium.launch({
    timeout: PATIENCE,
    executablePath: BT_CHROMIUM,
    /* As root, which continuous integration often is, there is no sandbox. */
    args: process.getuid() === 0 ? ['--no-sandbox'] : [],
  });
}

/*
 * Opens a file, lets use(page) work with it and checks that the page stayed
 * clean. options are those of Playwright's newContext.
 */
export async function visit(browser, path, use, options = {}) {
  const context = await browser.newContext(
    { viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  const url = pathToFileURL(path).href;

  page.on('console', (m) => complaints.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (r) => requests.push(r.url()));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation',
                              (e) => console.error(e.violatedDirective));
  });
  await page.goto(url);
  try {
    await use(page);
  } finally {
    await page.screenshot({ path: `${path}.png`, fullPage: false });
    await context.close();
  }
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((r) => r !== url
                                   && !r.startsWith('data:')), []);
}
