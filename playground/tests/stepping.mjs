// Runs, forwards and back: to a deadlock, with a race and with queues among them.

import { check, choose, expect, open, same } from './browser.mjs';

/** Tall, since the editor makes only those lines that can be seen. */
const tall = { viewport: { width: 1360, height: 2400 } };

/** Everything that the view says of one moment of a run. */
async function moment(page) {
  return page.evaluate(() =>
    JSON.stringify({
      states: document.querySelector('#panel-run .states').innerText,
      queues: [...document.querySelectorAll('#panel-run .queue')].map((queue) => queue.innerText),
      next: [...document.querySelectorAll('#panel-run .next button')].map((button) => button.innerText),
      marks: [...document.querySelectorAll('.cm-position')].map((mark) => `${mark.className} ${mark.textContent}`),
      badge: document.querySelector('#panel-run .badge').textContent,
      later: [...document.querySelectorAll('#panel-run .is-later')].map((group) => group.dataset.step),
    }),
  );
}

const position = (page) => page.locator('#panel-run input[type=range]').inputValue().then(Number);

/** Waits until the view shows the moment after so many steps. */
async function arrived(page, at) {
  await page.waitForFunction((at) => document.querySelector('#panel-run .counter').textContent.startsWith(`${at} /`), at);
}

/** Goes through the whole run with the buttons, back and forth, and compares each moment. */
async function backAndForth(page, length) {
  const seen = [];
  for (let at = length; at >= 0; at -= 1) {
    await arrived(page, at);
    seen[at] = await moment(page);
    if (at > 0) await page.click('[aria-label="One step back"]');
  }
  for (let at = 0; at <= length; at += 1) {
    await arrived(page, at);
    same(await moment(page), seen[at], `after ${at} steps`);
    if (at < length) await page.click('[aria-label="One step forward"]');
  }
  // The same with the slider and the keyboard.
  await page.focus('#panel-run input[type=range]');
  await page.keyboard.press('Home');
  await arrived(page, 0);
  same(await moment(page), seen[0], 'at the start');
  await page.keyboard.press('ArrowRight');
  await arrived(page, 1);
  same(await moment(page), seen[1], 'after a step');
  await page.keyboard.press('End');
  await arrived(page, length);
  same(await moment(page), seen[length], 'at the end');
  expect(new Set(seen).size === length + 1, 'two moments look the same');
  return seen.map((one) => JSON.parse(one));
}

export async function stepping(browser) {
  await check('steps to a deadlock and back', async () => {
    const page = await open(browser, { settings: tall });
    await page.waitForSelector('.cm-editor');
    let steps = 0;
    for (const file of ['forgotten-else.net', 'wrong-label.net', 'lock-kept.net']) {
      await choose(page, file);
      await page.click('#view-answer');
      await page.click('text=Step through this run');
      await page.waitForFunction(() => document.querySelector('#panel-run .badge')?.dataset.kind === 'bad');
      const length = await position(page);
      const seen = await backAndForth(page, length);
      steps += length;
      expect(seen.at(-1).marks.some((mark) => mark.includes('stuck')), `${file}: nobody is marked as stuck`);
      expect(!seen[0].marks.some((mark) => mark.includes('stuck')), `${file}: somebody is stuck from the start`);
      expect(seen.every((one) => one.marks.length > 0), `${file}: no positions in the text`);
      expect(seen[0].later.length > seen.at(-1).later.length, `${file}: nothing is pale`);
    }
    await page.context().close();
    return `${steps} steps, there and back twice`;
  });

  await check('a race is shown, and both ways can be tried', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    await choose(page, 'race-one-way.net');
    await page.click('#view-run');
    await page.waitForSelector('#panel-run .next button');
    const outcomes = new Set();
    let races = 0;
    // Every way that the run can go, depth first: back to the last choice, and the next one from there.
    const left = [[]];
    while (left.length) {
      const path = left.pop();
      await page.click('text=New run');
      await arrived(page, 0);
      for (const [at, choice] of path.entries()) {
        await page.locator('#panel-run .next button').nth(choice).click();
        await arrived(page, at + 1);
      }
      const count = await page.locator('#panel-run .next button').count();
      races += await page.locator('#panel-run .next .race').count();
      if (count === 0 || path.length > 12) outcomes.add(await page.textContent('#panel-run .badge'));
      else for (let choice = 0; choice < count; choice += 1) left.push([...path, choice]);
    }
    expect(races >= 2, 'nothing is called a race');
    expect(outcomes.has('deadlock') && outcomes.has('finished'), `found only ${[...outcomes]}`);
    await page.context().close();
    return `${[...outcomes].join(' and ')}`;
  });

  await check('queues fill and empty', async () => {
    const page = await open(browser, { settings: { ...tall, reducedMotion: 'no-preference' } });
    await page.waitForSelector('.cm-editor');
    for (const file of ['wrong-order.net', 'unread-postscript.net']) {
      await choose(page, file);
      await page.click('#view-answer');
      await page.click('text=Step through this run');
      await page.waitForFunction(() => document.querySelector('#panel-run .badge')?.dataset.kind === 'bad');
      const seen = await backAndForth(page, await position(page));
      const lengths = seen.map((one) => one.queues.length);
      expect(lengths[0] === 0 && Math.max(...lengths) > 0, `${file}: queues do not fill`);
    }
    await choose(page, 'pipelined-requests.net');
    await page.click('#view-run');
    await page.click('text=Random run');
    await page.waitForFunction(() => document.querySelector('#panel-run .badge')?.textContent === 'finished');
    const seen = await backAndForth(page, await position(page));
    const most = Math.max(...seen.map((one) => one.queues.length));
    expect(most > 0 && seen.at(-1).queues.length === 0, 'queues do not empty');
    await page.context().close();
  });

  await check('the message moves on the diagram, unless less motion is wanted', async () => {
    for (const [reducedMotion, moves] of [['no-preference', true], ['reduce', false]]) {
      const page = await open(browser, { settings: { reducedMotion } });
      await choose(page, 'buyer-seller.net');
      await page.click('#view-run');
      await page.waitForSelector('#panel-run .next button');
      await page.evaluate(() => {
        window.seen = 0;
        new MutationObserver(() => (window.seen += document.getAnimations().filter((one) => one.effect?.target?.matches?.('.mover')).length)).observe(
          document.getElementById('panel-run'),
          { subtree: true, childList: true },
        );
      });
      await page.click('#panel-run .next button');
      await arrived(page, 1);
      await page.waitForTimeout(100);
      const seen = await page.evaluate(() => window.seen);
      expect(moves === seen > 0, `with ${reducedMotion}: ${seen} movements`);
      if (!moves) {
        const others = await page.evaluate(() => document.getAnimations().length);
        expect(others === 0, `with ${reducedMotion}: ${others} animations`);
      }
      await page.context().close();
    }
  });

  await check('plays a run by itself', async () => {
    const page = await open(browser);
    await choose(page, 'forgotten-else.net');
    await page.click('#view-run');
    await page.click('text=Failing run');
    await page.waitForFunction(() => /^0 \/ 3/.test(document.querySelector('#panel-run .counter').textContent));
    await page.click('#panel-run button:has-text("Play")');
    await page.waitForFunction(() => /^3 \/ 3/.test(document.querySelector('#panel-run .counter').textContent), null, { timeout: 20_000 });
    await page.context().close();
  });
}
