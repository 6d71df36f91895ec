// How fast the engine answers in the browser, as a ratio to the same without a browser. What is compared is the time in which a
// processor worked for the answer, so that it does not matter much what else the machine does. Nothing fails here: machines
// differ. Linux only.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, command, expect, open, root, same } from './browser.mjs';

const FIRST_ROUNDS = 10;
const ROUNDS = 10;
const IN_PAGE = 2_000;
const NATIVE = 5_000;

const best = (numbers) => Math.min(...numbers);
const shown = (milliseconds) => (milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(1)} ms`);

export async function speed(browser) {
  const page = await open(browser);
  const list = await page.evaluate(() => window.laban.examples.map(({ file, text }) => ({ file, text })));
  await page.context().close();
  const smallest = list.filter(({ file }) => file.endsWith('.net')).sort((one, other) => one.text.length - other.text.length)[0];

  await check('speed of the first answer', async () => {
    const link = await linkTo(browser, smallest.file);
    const first = [];
    const native = [];
    const loading = [];
    for (let round = 0; round < FIRST_ROUNDS; round += 1) {
      const { load, answer } = await firstAnswer(browser, link, smallest.file);
      loading.push(load);
      first.push(answer);
      native.push(worked(20, command, ['extract', smallest.file], '', join(root, 'examples')));
    }
    const [here, there] = [best(first), best(native)];
    return `${smallest.file}: ${shown(here)} in the page after ${shown(best(loading))} of loading, ${shown(there)} as a command, ratio ${(here / there).toFixed(2)}`;
  });

  await check('speed of later answers', async () => {
    const page = await open(browser);
    const remarks = [];
    for (const { file, text } of [smallest, list.find(({ file }) => file === 'two-buyer.net')]) {
      const request = { do: 'extract', files: [{ name: file, text }] };
      const ask = () => page.evaluate(({ request, repeat }) => window.laban.measure(request, repeat), { request, repeat: IN_PAGE });
      await ask();
      const inPage = [];
      const native = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = workers().worked;
        await ask();
        inPage.push((workers().worked - before) / IN_PAGE);
        native.push(worked(1, process.env.LABAN_MEASURE, [String(NATIVE)], JSON.stringify(request)) / NATIVE);
      }
      const [here, there] = [best(inPage), best(native)];
      remarks.push(`${file}: ${shown(here)} in the page, ${shown(there)} in a program, ratio ${(here / there).toFixed(2)}`);
    }
    await page.context().close();
    return remarks.join('; ');
  });
}

/** How long the worker of a fresh page works on its very first answer, and before it on loading the engine, in milliseconds. */
async function firstAnswer(browser, link, file) {
  const context = await browser.newContext();
  const page = await context.newPage();
  // What is asked waits until the engine is there.
  await page.addInitScript(() => {
    const waiting = [];
    let open = false;
    window.begin = () => {
      open = true;
      for (const send of waiting.splice(0)) send();
    };
    window.Worker = class extends Worker {
      postMessage(message) {
        if (open || !('id' in message)) super.postMessage(message);
        else waiting.push(() => super.postMessage(message));
      }
    };
  });
  await page.goto(link);
  await page.waitForSelector('.cm-editor');
  let load = -1;
  for (let before = workers().worked; before !== load; before = workers().worked) {
    load = before;
    await page.waitForTimeout(300);
  }
  await page.evaluate(() => window.begin());
  await page.waitForSelector('#results[data-state="done"]');
  const answer = workers().worked - load;
  same(await page.inputValue('#name'), file, 'the text');
  await context.close();
  return { load, answer };
}

/** The threads of workers of all browsers that are open, and how long they have worked, in milliseconds. */
function workers() {
  let [count, nanoseconds] = [0, 0];
  for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      for (const task of readdirSync(`/proc/${process}/task`)) {
        const folder = `/proc/${process}/task/${task}`;
        if (!readFileSync(`${folder}/comm`, 'utf8').startsWith('DedicatedWorker')) continue;
        count += 1;
        nanoseconds += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
      }
    } catch {
      // It ended in between.
    }
  }
  return { count, worked: nanoseconds / 1e6 };
}

/** The page with an example in it. */
async function linkTo(browser, file) {
  const page = await open(browser, { settings: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.selectOption('#examples', file);
  await page.click('#share');
  await page.waitForFunction(() => location.hash.length > 10);
  const link = await page.evaluate(() => location.href);
  await page.context().close();
  return link;
}

/** How long the processor works for a program from its start to its end, in milliseconds: the average of so many times. */
function worked(times, program, args, input, cwd) {
  const script = `TIMEFORMAT='%U %S'; text=$(cat); time for ((count = 0; count < ${times}; count += 1)); do "$@" <<< "$text" > /dev/null; done`;
  const told = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`, 'bash', program, ...args], { input, cwd, encoding: 'utf8' });
  const [user, system] = told.trim().split(/\s+/).slice(-2).map(Number);
  expect(Number.isFinite(user + system), told);
  return ((user + system) * 1000) / times;
}
