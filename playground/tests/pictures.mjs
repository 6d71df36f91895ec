// Screenshots for somebody to look at, in target/playground/screenshots.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, choose, open, root } from './browser.mjs';

const folder = join(root, 'target/playground/screenshots');
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

export async function pictures(browser) {
  await check('screenshots', async () => {
    mkdirSync(folder, { recursive: true });
    let count = 0;
    for (const [look, settings] of Object.entries(looks)) {
      const page = await open(browser, { settings });
      await page.waitForSelector('.cm-editor');
      const shot = async (name) => {
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(folder, `${look}-${name}.png`), fullPage: look === 'phone' });
        count += 1;
      };
      await choose(page, 'two-buyer.net');
      await shot('choreography');
      for (const view of ['sequence', 'seg', 'automata', 'communications']) {
        await page.click(`#view-${view}`);
        await page.waitForSelector(`#panel-${view} svg.laban`);
        await shot(view);
      }
      await page.click('#view-answer');
      await choose(page, 'wrong-order.net');
      await shot('explanation');
      await page.click('text=Step through this run');
      await page.waitForFunction(() => document.querySelector('#panel-run .badge')?.dataset.kind === 'bad');
      await shot('deadlock');
      await page.click('[aria-label="One step back"]');
      await shot('run');
      await choose(page, 'mutual-exclusion.net');
      await page.waitForSelector('#panel-run .next button');
      await shot('race');
      await page.click('#view-compare');
      await page.click('#panel-compare button:has-text("Show me an example")');
      await page.waitForSelector('#panel-compare h2 .badge');
      await shot('compare');
      await page.click('#export');
      await shot('export');
      await page.keyboard.press('Escape');
      await page.click('#settings');
      await shot('options');
      await page.keyboard.press('Escape');
      await choose(page, 'ill-formed.net');
      await page.click('#view-answer');
      await shot('mistakes');
      await page.context().close();
    }
    return `${count} in target/playground/screenshots`;
  });
}
