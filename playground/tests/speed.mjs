// How fast the engine answers in the browser, as a ratio to the same library without a browser. Nothing fails here unless it
// is far too slow: machines differ.

import { spawnSync } from 'node:child_process';
import { check, open } from './browser.mjs';

const REPEAT = 400;
const ROUNDS = 7;

export async function speed(browser) {
  await check('speed of the first answer', async () => {
    const page = await open(browser);
    const list = await page.evaluate(() => window.laban.examples.map(({ file, text }) => ({ file, text })));
    const smallest = list.filter(({ file }) => file.endsWith('.net')).sort((one, other) => one.text.length - other.text.length)[0];
    const remarks = [];
    for (const { file, text } of [smallest, list.find(({ file }) => file === 'two-buyer.net')]) {
      const request = { do: 'extract', files: [{ name: file, text }] };
      await page.evaluate(({ request, repeat }) => window.laban.measure(request, repeat), { request, repeat: REPEAT });
      const inPage = [];
      const native = [];
      // In turns, since the machine may be busy with something else for a while.
      for (let round = 0; round < ROUNDS; round += 1) {
        inPage.push(await page.evaluate(({ request, repeat }) => window.laban.measure(request, repeat), { request, repeat: REPEAT }));
        native.push(nativeTime(request));
      }
      const [here, there] = [Math.min(...inPage), Math.min(...native)];
      remarks.push(`${file}: ${(here * 1000).toFixed(0)} µs in the page, ${(there * 1000).toFixed(0)} µs without, ratio ${(here / there).toFixed(2)}`);
    }
    const loading = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd);
    await page.context().close();
    return `${remarks.join('; ')}; page loaded in ${loading.toFixed(0)} ms`;
  });
}

/** The average of many, in milliseconds, from the same front door in a native program. */
function nativeTime(request) {
  const program = process.env.LABAN_MEASURE;
  const { stdout, status, stderr } = spawnSync(program, [String(REPEAT)], { input: JSON.stringify(request), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return Number(stdout) / 1000;
}
