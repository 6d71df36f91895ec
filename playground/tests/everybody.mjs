// For everybody: contrast, labels and roles by axe, focus order and everything by keyboard alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answered, answeredAfter, badge, check, choose, expect, open, playground, same } from './browser.mjs';

const axe = readFileSync(join(playground, 'node_modules/axe-core/axe.min.js'), 'utf8');
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  'phone, dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

async function flaws(page, where) {
  // Evaluated from outside, so the policy of the page does not forbid it. The style cannot be loaded again from a file.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations', 'incomplete'], preload: false }));
  const told = found.violations.map((one) => `${where}: ${one.id}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join(' | ')}`);
  return { told, rules: found.passes.length };
}

export async function everybody(browser) {
  for (const [look, settings] of Object.entries(looks)) {
    await check(`axe finds nothing: ${look}`, async () => {
      const page = await open(browser, { settings: { bypassCSP: true, ...settings } });
      await page.waitForSelector('.cm-editor');
      const all = [];
      let places = 0;
      let rules = 0;
      const look = async (where) => {
        await page.waitForTimeout(250);
        const { told, rules: some } = await flaws(page, where);
        all.push(...told);
        places += 1;
        rules = Math.max(rules, some);
      };
      for (const file of ['two-buyer.net', 'wrong-order.net', 'ill-formed.net']) {
        await choose(page, file);
        await look(`${file}, answer`);
      }
      await choose(page, 'wrong-order.net');
      for (const view of ['sequence', 'seg', 'automata', 'communications', 'run', 'compare']) {
        await page.click(`#view-${view}`);
        await look(view);
        if (view === 'run') {
          await page.click('text=Failing run');
          await page.click('[aria-label="To the end"]');
          await look('failing run');
        }
      }
      await page.click('#panel-compare button:has-text("Show me an example")');
      await page.waitForSelector('#panel-compare h2 .badge');
      await look('comparison');
      for (const menu of ['export', 'settings', 'rename']) {
        await page.click(`#${menu}`);
        await look(menu);
        await page.keyboard.press('Escape');
      }
      expect(all.length === 0, `${all.length} flaws\n${all.slice(0, 8).join('\n')}`);
      await page.context().close();
      return `${places} places, ${rules} rules`;
    });
  }

  await check('nothing is cut off or needs sideways scrolling at phone width', async () => {
    const page = await open(browser, { settings: looks.phone });
    for (const view of ['answer', 'sequence', 'automata', 'run', 'compare']) {
      await page.click(`#view-${view}`);
      const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
      expect(scroll <= client, `${view}: ${scroll} wide on ${client}`);
    }
    for (const menu of ['export', 'settings', 'rename']) {
      await page.click(`#${menu}`);
      const { x, width } = await page.locator(`#${menu}-panel`).boundingBox();
      expect(x >= 0 && x + width <= 390, `${menu}: from ${x}, ${width} wide`);
      await page.keyboard.press('Escape');
    }
    await page.context().close();
  });

  await check('long names and states fit beside a run', async () => {
    const page = await open(browser);
    await choose(page, 'mutual-exclusion.net');
    await page.click('#view-run');
    await page.waitForSelector('#panel-run .next button');
    const { scroll, client } = await page.evaluate(() => ({ scroll: document.getElementById('panel-run').scrollWidth, client: document.getElementById('panel-run').clientWidth }));
    expect(scroll <= client, `${scroll} wide in ${client}`);
    await page.context().close();
  });

  await check('text at twice the size does not break the page', async () => {
    const page = await open(browser, { settings: { viewport: { width: 680, height: 430 } } });
    const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
    expect(scroll <= client, `${scroll} wide on ${client}`);
    await page.context().close();
  });

  await check('the order of the focus is that of the page', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    await choose(page, 'forgotten-else.net');
    await page.evaluate(() => document.activeElement.blur());
    const order = [];
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      // The editor notices a little later that it has the focus.
      await page.waitForFunction(() => document.activeElement?.closest('.cm-editor:not(.cm-focused)') == null);
      const where = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(element.closest('.cm-editor') ?? element);
        return {
          name: element.id || element.getAttribute('aria-label') || element.textContent.slice(0, 30),
          visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
        };
      });
      if (!where) break;
      expect(where.visible, `the focus on ${where.name} cannot be seen`);
      order.push(where.name);
    }
    const wanted = ['Skip to the text', 'Skip to the answer', 'examples', 'open', 'export', 'share', 'theme', 'text-0', 'rename', 'format', 'Network or choreography', 'problems', 'settings', 'view-answer', 'panel-answer'];
    let last = -1;
    for (const name of wanted) {
      const at = order.indexOf(name);
      expect(at > last, `${name} is at ${at}, after ${last}: ${order.join(', ')}`);
      last = at;
    }
    expect(order.filter((name) => name.startsWith('view-')).length === 1, 'the tabs have more than one stop');
    await page.context().close();
    return `${order.length} stops`;
  });

  await check('everything works by keyboard alone', async () => {
    const page = await open(browser, { settings: { permissions: ['clipboard-read', 'clipboard-write'] } });
    await page.waitForSelector('.cm-editor');
    const tabTo = async (name) => {
      for (let presses = 0; presses < 80; presses += 1) {
        const found = await page.evaluate((name) => {
          const element = document.activeElement;
          return element.id === name || element.getAttribute('aria-label') === name || element.textContent === name;
        }, name);
        if (found) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} cannot be reached`);
    };
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo('Network or choreography');
    await page.keyboard.press('Control+A');
    await answeredAfter(page, () => page.keyboard.insertText('p { main { q!<x>; q?; stop } } | q { main { p?; stop } }'));
    same(await badge(page), 'deadlock', 'the verdict');
    // Tab leaves the editor.
    await tabTo('settings');
    await page.keyboard.press('Enter');
    await tabTo('option-fair');
    await answeredAfter(page, () => page.keyboard.press('Space'));
    expect(await page.isChecked('#option-fair'), 'the option is not set');
    await page.keyboard.press('Escape');
    same(await page.evaluate(() => document.activeElement.id), 'settings', 'the focus after closing');
    await tabTo('view-answer');
    await page.keyboard.press('ArrowRight');
    same(await page.evaluate(() => document.activeElement.id), 'view-sequence', 'the next tab');
    await page.waitForSelector('#panel-sequence svg.laban');
    await page.keyboard.press('ArrowLeft');
    await tabTo('Step through this run');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#panel-run .badge')?.dataset.kind === 'bad');
    same(await page.evaluate(() => document.activeElement.id), 'view-run', 'the focus after following a run');
    await tabTo('One step back');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#panel-run .counter').textContent.startsWith('0 /'));
    same(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'One step back', 'the button keeps the focus');
    await tabTo('p.x -> q');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#panel-run .counter').textContent.startsWith('1 /'));
    const said = await page.textContent('#live');
    expect(said.includes('deadlock'), `the live region says ${said}`);
    await page.context().close();
  });

  await check('dark and light can be chosen, and are remembered', async () => {
    const page = await open(browser, { settings: { colorScheme: 'light' } });
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await colour();
    await page.click('#theme');
    const dark = await colour();
    expect(light !== dark, 'nothing changes');
    await page.click('#view-sequence');
    const ink = () => page.evaluate(() => getComputedStyle(document.querySelector('#panel-sequence svg.laban text')).fill);
    await page.waitForSelector('#panel-sequence svg.laban');
    const pale = await ink();
    await page.reload();
    await answered(page);
    same(await colour(), dark, 'after loading again');
    await page.click('#theme');
    same(await colour(), light, 'back');
    await page.click('#view-sequence');
    await page.waitForSelector('#panel-sequence svg.laban');
    expect((await ink()) !== pale, 'pictures do not follow');
    await page.context().close();
  });
}
