// The page as `laban play` serves it: out of the program, under the policy of its headers, with the files of the command line
// in it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { badge, check, command, dist, drop, expect, open, requests, root, same } from './browser.mjs';

export async function serving(browser) {
  await check('laban play serves it, opens a file in it, and ends with an interrupt', async () => {
    const files = ['examples/forgotten-else.net', 'examples/two-buyer.chor'];
    const server = spawn(command, ['play', '--no-open', ...files], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const ended = once(server, 'exit').then(() => Promise.reject(new Error('it ended at once')));
      const [address] = await Promise.race([once(createInterface(server.stdout), 'line'), ended]);
      ended.catch(() => {});
      const before = requests.length;
      const page = await open(browser, { from: address });
      same(await badge(page), 'deadlock', 'the first file');
      await page.waitForSelector('.cm-editor');
      same(await page.textContent('#text-1'), 'two-buyer.chor', 'the second file');
      await drop(page, 'hello.mmd', 'sequenceDiagram\n  Ann->>Bob: hello\n');
      same(await badge(page), 'projected', 'a dropped diagram');
      await page.context().close();
      const { origin } = new URL(address);
      for (const name of readdirSync(dist)) {
        const served = await fetch(`${origin}/${name}`).then((answer) => answer.text());
        expect(served === readFileSync(join(dist, name), 'utf8'), `${name} in the program is another one: build the command after the page`);
      }
      const asked = requests.splice(before).filter((url) => !url.startsWith('blob:') && !url.startsWith('data:'));
      expect(asked.length > 3 && asked.every((url) => new URL(url).origin === origin), `asked for ${asked}`);
      server.kill('SIGINT');
      const [code] = await once(server, 'exit');
      same(String(code), '0', 'the exit status');
    } finally {
      server.kill('SIGKILL');
    }
  });
}
