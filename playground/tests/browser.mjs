// A browser with the page in it, and what the checks need around it.

import { chromium } from 'playwright-core';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const playground = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(playground);
export const dist = process.env.PLAYGROUND ?? join(playground, 'dist');
export const address = pathToFileURL(join(dist, 'index.html')).href;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Everything that pages asked for, and everything that went wrong in them. */
export const requests = [];
export const errors = [];

export async function open(browser, { fragment = '', settings = {}, from = address } = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, acceptDownloads: true, ...settings });
  const page = await context.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(from + fragment);
  await answered(page);
  return page;
}

/** Waits until the page has an answer about the text that it shows. */
export async function answered(page, timeout = 60_000) {
  await page.waitForSelector('#results[data-state="done"]', { timeout, state: 'attached' });
}

/** Does something that changes what is asked, whenever the page notices it, and waits for the answer to that. */
export async function answeredAfter(page, act, timeout = 60_000) {
  const before = await page.evaluate(() => Number(document.getElementById('results').dataset.revision));
  await act();
  const isAnswered = (before) => {
    const { state, revision } = document.getElementById('results').dataset;
    return state === 'done' && Number(revision) > before;
  };
  await page.waitForFunction(isAnswered, before, { timeout });
}

/** Opens a text as if a file had been dropped. */
export async function drop(page, name, text) {
  await answeredAfter(page, () => dropOnly(page, name, text));
  same(await page.inputValue('#name'), name, 'the name of what was dropped');
}

/** The same, without waiting for an answer. */
export async function dropOnly(page, name, text) {
  await page.evaluate(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    },
    { name, text },
  );
}

export async function choose(page, file) {
  await answeredAfter(page, () => page.selectOption('#examples', file));
}

/** Types a text in place of the one that is shown. */
export async function write(page, text) {
  await page.waitForSelector('.cm-content');
  await page.click('.cm-content');
  await page.keyboard.press('Control+A');
  await answeredAfter(page, () => page.keyboard.insertText(text));
}

export async function view(page, name) {
  await page.click(`#view-${name}`);
}

export const badge = (page) => page.textContent('#verdict .badge');

/** The command, as it was built. */
const candidates = ['release', 'thorough', 'debug'].map((profile) => join(root, 'target', profile, 'laban'));
export const command = process.env.LABAN ?? candidates.find((path) => existsSync(path));

export function laban(args, cwd = join(root, 'examples')) {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { stdout, stderr, status };
}

export function tool(name, args) {
  return execFileSync(name, args, { encoding: 'utf8' });
}

let failed = 0;
let passed = 0;

/** One thing that must be true. */
export async function check(name, body) {
  const only = process.argv[2];
  if (only && !name.includes(only)) return;
  const begin = performance.now();
  try {
    const remark = await body();
    passed += 1;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`ok   ${name}${remark ? `: ${remark}` : ''} (${seconds} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n     ${String(error.stack ?? error).split('\n').slice(0, 12).join('\n     ')}`);
  }
}

export function summary() {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

export function expect(condition, message) {
  if (!condition) throw new Error(message);
}

export function same(found, wanted, what) {
  if (found === wanted) return;
  const at = [...found].findIndex((character, index) => character !== wanted[index]);
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 60));
  throw new Error(`${what}: differs at ${at}: found ${near(found)}, wanted ${near(wanted)}`);
}
