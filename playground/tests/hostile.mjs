// Rubbish, floods and traps.

import { answered, answeredAfter, badge, check, choose, drop, dropOnly, expect, open, same, write } from './browser.mjs';

/** A network whose states cannot be counted: so many bits that flip on their own, and meet. */
function endless(count) {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  return names
    .map((name, index) => {
      const next = `p${(index + 1) % count}`;
      const before = `p${(index + count - 1) % count}`;
      const partner = index % 2 ? `${before}?` : `${next}!<x>`;
      const other = index % 2 ? `${next}!<y>` : `${before}?`;
      return `${name} { def A { if a${index} then B else choose { A, B, C } } def B { if b${index} then C else choose { A, C } } def C { ${partner}; if c then ${other}; A else ${other}; B } main { A } }`;
    })
    .join('\n| ');
}

export async function hostile(browser) {
  await check('survives 20 MB of rubbish', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    const kinds = {
      'noise.net': () => Array.from({ length: 20_000_000 }, (_, index) => String.fromCharCode(33 + ((index * 7919 + (index >> 7)) % 94))).join(''),
      'open.net': () => 'p { main { '.repeat(1_850_000),
      'lines.txt': () => '}{|;\n'.repeat(4_000_000),
    };
    const times = [];
    for (const [name, make] of Object.entries(kinds)) {
      const begin = performance.now();
      const act = (source) =>
        page.evaluate(
          ({ name, source }) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([eval(source)()], name));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
          },
          { name, source },
        );
      await answeredAfter(page, () => act(`(${make})`), 240_000);
      same(await page.inputValue('#name'), name, 'the name');
      same(await badge(page), 'not read', name);
      expect((await page.locator('.problem').count()) > 0, `${name}: nothing is said`);
      times.push(`${name} ${((performance.now() - begin) / 1000).toFixed(0)} s`);
    }
    await choose(page, 'buyer-seller.net');
    same(await badge(page), 'extracted', 'afterwards');
    await page.context().close();
    return times.join(', ');
  });

  await check('stops a search that would not end', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    await page.click('#settings');
    await page.fill('#option-states', '1000000000');
    await answeredAfter(page, () => page.keyboard.press('Enter'));
    await dropOnly(page, 'endless.net', endless(24));
    await page.waitForSelector('#stop:not([hidden])');
    await page.waitForTimeout(1500);
    same(await badge(page), 'working', 'while it works');
    // The page answers while the worker works.
    await page.click('#view-run');
    await page.click('#view-answer');
    await page.click('#stop');
    await answered(page);
    same(await badge(page), 'stopped', 'after stopping');
    await choose(page, 'buyer-seller.net');
    same(await badge(page), 'extracted', 'afterwards');
    await page.context().close();
  });

  await check('gives up at the limit, and says so', async () => {
    const page = await open(browser);
    await page.click('#settings');
    await page.fill('#option-states', '2000');
    await answeredAfter(page, () => page.keyboard.press('Enter'));
    await drop(page, 'endless.net', endless(24));
    same(await badge(page), 'undecided', 'the verdict');
    expect((await page.textContent('#summary')).includes('2,000 states'), 'the limit is not said');
    await page.context().close();
  });

  await check('what a text contains stays text', async () => {
    const page = await open(browser);
    const nasty = '<img src=x onerror=window.hacked=1></text></svg><script>window.hacked=2</script>';
    await write(page, `p { main { q!<"${nasty}">; q+ok<"]]>&lt;style>*{display:none}</style>">; stop } }\n| q { main { p?; p&{ok: stop} } }`);
    same(await badge(page), 'extracted', 'the verdict');
    for (const view of ['sequence', 'seg', 'automata', 'communications', 'run']) {
      await page.click(`#view-${view}`);
      await page.waitForSelector(`#panel-${view} svg.laban`);
      expect((await page.locator(`#panel-${view} :is(script, img, style, iframe)`).count()) === 0, `${view} has what it should not`);
    }
    expect((await page.evaluate(() => window.hacked)) === undefined, 'a text was run');
    await page.context().close();
  });

  await check('lone surrogates and strange names do no harm', async () => {
    const page = await open(browser);
    await drop(page, '../../\u202e🙂.net', '\ufeffp { main { q!<"\ud800">; stop } } | q { main { p?; stop } }');
    same(await badge(page), 'extracted', 'the verdict');
    await page.context().close();
  });
}
