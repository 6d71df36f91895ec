// Two texts: `verify` and `equiv`, with the difference as a picture.

import { check, choose, expect, laban, open, same } from './browser.mjs';

async function both(page, first, second) {
  await page.click('#view-answer');
  await page.click('#text-0');
  await choose(page, first);
  await page.click('#text-1');
  await choose(page, second);
  await page.click('#view-compare');
}

const result = (page) => page.waitForSelector('#panel-compare h2 .badge').then((badge) => badge.textContent());

export async function comparing(browser) {
  await check('verify and equiv show a difference as a picture', async () => {
    const page = await open(browser);
    await both(page, 'buyer-seller.net', 'buyer-seller-hasty.chor');
    same(await result(page), 'it does not', 'verify');
    expect((await page.locator('#panel-compare svg.laban').count()) === 1, 'verify has no picture');
    expect((await page.locator('#panel-compare svg.laban text').count()) > 4, 'the picture is empty');
    const told = laban(['verify', 'buyer-seller.net', 'buyer-seller-hasty.chor']);
    same(await page.textContent('#panel-compare pre'), [told.stdout, told.stderr].filter((part) => part.trim()).join('\n'), 'what is said');

    await both(page, 'tutorial/5-service.net', 'tutorial/6-voucher.net');
    same(await result(page), 'different', 'equiv');
    expect((await page.locator('#panel-compare svg.laban').count()) === 1, 'equiv has no picture');
    await page.context().close();
  });

  await check('verify and equiv say yes', async () => {
    const page = await open(browser);
    // In either order: the network comes first by itself.
    await both(page, 'two-buyer.chor', 'two-buyer.net');
    same(await result(page), 'it does', 'verify');
    await page.click('#panel-compare button:has-text("Equivalent?")');
    await page.waitForFunction(() => document.querySelector('#panel-compare h2')?.textContent.includes('Can '));
    same(await result(page), 'the same', 'equiv');
    await both(page, 'paper-unrolled.net', 'paper-loop-and-a-half.net');
    same(await result(page), 'the same', 'equiv of two networks');
    await page.context().close();
  });

  await check('without a second text, says what to do', async () => {
    const page = await open(browser);
    await page.click('#view-compare');
    await page.click('#panel-compare button:has-text("Show me an example")');
    same(await result(page), 'it does not', 'the example');
    await page.context().close();
  });
}
