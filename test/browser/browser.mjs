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

export function launch() {
  return chromium.launch({
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
