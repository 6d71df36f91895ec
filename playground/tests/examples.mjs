// Every example of the list: what the page shows is what the command prints, byte for byte.

import { answered, answeredAfter, badge, check, choose, expect, laban, open, same, write } from './browser.mjs';

export async function examples(browser) {
  await check('answers like the command about every example', async () => {
    const page = await open(browser);
    const list = await page.evaluate(() => window.laban.examples.map(({ file }) => file));
    let extracted = 0;
    let failed = 0;
    let projected = 0;
    let refused = 0;
    for (const file of list) {
      await choose(page, file);
      const word = await badge(page);
      const isChoreography = word.includes('proj');
      const isNetwork = !isChoreography && word !== 'not read';
      const told = laban([isChoreography ? 'project' : 'extract', file, '--max-states', '200000']);
      const shown = (await page.locator('#panel-answer pre').allTextContents()) ?? [];
      if (told.status === 0) {
        same(shown[0] ?? '', told.stdout, file);
        if (told.stderr) same(shown[1] ?? '', told.stderr, `${file}, what is said`);
        isChoreography ? (projected += 1) : (extracted += 1);
      } else {
        same(shown.at(-1) ?? '', told.stderr, `${file}, what is said`);
        isNetwork ? (failed += 1) : (refused += 1);
        if (isNetwork) expect((await page.locator('#panel-answer svg.laban').count()) > 0, `${file} has no picture`);
      }
    }
    expect(extracted > 30 && failed > 10 && projected > 5, 'too few examples');
    await page.context().close();
    return `${list.length} examples: ${extracted} extracted, ${failed} with a failure, ${projected} projected, ${refused} with mistakes`;
  });

  await check('shows a failure in words, in the text and as a picture', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    await choose(page, 'forgotten-else.net');
    same(await badge(page), 'deadlock', 'the verdict');
    expect((await page.textContent('#summary')).includes('shipper waits for a value from seller'), 'no reason');
    expect((await page.locator('.cm-position-stuck').count()) > 0, 'nothing in the text is marked as stuck');
    expect((await page.locator('.cm-position-path').count()) >= 3, 'the run is not marked in the text');
    expect((await page.locator('.cm-lintRange-error').count()) > 0, 'no squiggle');
    expect((await page.locator('.cm-gutter-lint .cm-lint-marker').count()) > 0, 'nothing in the gutter');
    expect((await page.locator('#panel-answer svg.laban .bad').count()) > 0, 'nothing in the picture is red');
    // A step of the run lights up in both.
    await page.focus('#panel-answer .steps li:nth-child(3) button');
    expect((await page.locator('#panel-answer svg .is-now').count()) > 0, 'the step is not lit in the picture');
    expect((await page.locator('.cm-position-moved').count()) > 0, 'the step is not lit in the text');
    await page.context().close();
  });

  await check('an answer is old as soon as the text is another one', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-content');
    await page.click('.cm-content');
    const [before, after] = await page.evaluate(async () => {
      const { dataset } = document.getElementById('results');
      const before = { ...dataset };
      document.execCommand('insertText', false, '|');
      await null;
      return [before, { ...dataset }];
    });
    same(before.state, 'done', 'the state before');
    same(after.state, 'waiting', 'the state after');
    expect(Number(after.revision) > Number(before.revision), 'the revision is the same');
    await answered(page);
    same(await badge(page), 'not read', 'the verdict');
    await page.context().close();
  });

  await check('offers fixes', async () => {
    const page = await open(browser);
    await write(page, 'p { main { q!<x>; stop } } | q { main { pp?; stop } }');
    await answeredAfter(page, () => page.click('#problems button:has-text("Fix")'));
    same(await badge(page), 'extracted', 'the verdict');
    same((await page.innerText('.cm-content')).trim(), 'p { main { q!<x>; stop } } | q { main { p?; stop } }', 'the text');
    await page.context().close();
  });

  await check('every view of every kind of answer is drawn', async () => {
    const page = await open(browser);
    for (const file of ['two-buyer.net', 'wrong-order.net', 'race-starved.net', 'mutual-exclusion.net', 'two-buyer.chor']) {
      await choose(page, file);
      for (const view of ['sequence', 'seg', 'automata', 'communications']) {
        if (view === 'seg' && file.endsWith('.chor')) continue;
        await page.click(`#view-${view}`);
        await page.waitForSelector(`#panel-${view} svg.laban`);
      }
      await page.click('#view-answer');
    }
    await page.context().close();
  });
}
