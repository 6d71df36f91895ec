// The page from a file, with and without the editor, and with a link.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answeredAfter, badge, check, choose, dist, drop, errors, expect, open, same, write } from './browser.mjs';

export async function loading(browser) {
  await check('loads from a file and answers', async () => {
    const page = await open(browser);
    expect((await page.evaluate(() => location.protocol)) === 'file:', 'not from a file');
    same(await badge(page), 'extracted', 'the first example');
    await page.waitForSelector('.cm-editor');
    expect((await page.locator('textarea#plain').count()) === 0, 'the text area is still there');
    await page.context().close();
  });

  await check('works offline', async () => {
    const page = await open(browser, { settings: { offline: true } });
    same(await badge(page), 'extracted', 'the first example');
    await page.context().close();
  });

  await check('works without the editor', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'playground-'));
    cpSync(dist, folder, { recursive: true });
    rmSync(join(folder, 'editor.js'));
    const page = await open(browser, { from: pathToFileURL(join(folder, 'index.html')).href });
    await choose(page, 'forgotten-else.net');
    same(await badge(page), 'deadlock', 'an example');
    await page.fill('#plain', 'p { main { q!<x>; stop } } | q { main { p?; stop } }');
    await page.waitForFunction(() => document.querySelector('#panel-answer pre')?.textContent === 'main { p.x -> q; stop }\n');
    rmSync(folder, { recursive: true });
    await page.context().close();
    forgetMissing('editor.js');
  });

  await check('the first answers need only the first part of the engine, and others say that the rest is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'playground-'));
    cpSync(dist, folder, { recursive: true });
    rmSync(join(folder, 'rest.js'));
    const page = await open(browser, { from: pathToFileURL(join(folder, 'index.html')).href });
    for (const [file, word] of [['two-buyer.net', 'extracted'], ['forgotten-else.net', 'deadlock'], ['ill-formed.net', 'not read']]) {
      await choose(page, file);
      same(await badge(page), word, file);
    }
    const diagram = 'sequenceDiagram\n  Ann->>Bob: hello\n';
    await drop(page, 'hello.mmd', diagram);
    same(await badge(page), 'failed', 'a diagram');
    expect((await page.textContent('#summary')).includes('rest.js'), 'what is missing is not said');
    // As soon as it is there, so is the answer.
    cpSync(join(dist, 'rest.js'), join(folder, 'rest.js'));
    await answeredAfter(page, () => page.click('#again'));
    same(await badge(page), 'projected', 'the diagram again');
    rmSync(folder, { recursive: true });
    await page.context().close();
    forgetMissing('rest.js');
  });

  await check('a link holds the texts, the options and the view', async () => {
    const page = await open(browser, { settings: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const text = 'p { main { q!<"grüße 👋 </script>">; stop } }\n| q { main { p?; stop } }\n| r { def X { p?; X } main { X } }\n';
    await write(page, text);
    await page.click('#settings');
    await page.fill('#option-services', 'r');
    await answeredAfter(page, () => page.keyboard.press('Enter'));
    await page.click('#text-1');
    await write(page, 'main { p.x -> q; stop }');
    await page.click('#text-0');
    await page.click('#view-automata');
    await page.click('#share');
    await page.waitForFunction(() => location.hash.length > 10);
    const link = await page.evaluate(() => location.hash);
    const other = await open(browser, { fragment: link });
    same(await other.evaluate(() => document.querySelector('.cm-content, #plain').innerText ?? ''), await page.innerText('.cm-content'), 'the text');
    same(await other.inputValue('#option-services'), 'r', 'the services');
    same(await other.getAttribute('#view-automata', 'aria-selected'), 'true', 'the view');
    same(await badge(other), 'extracted', 'the verdict');
    await answeredAfter(other, () => other.click('#text-1'));
    same((await other.innerText('.cm-content')).trim(), 'main { p.x -> q; stop }', 'the second text');
    for (const each of [page, other]) await each.context().close();
    return `${link.length} characters`;
  });

  await check('a damaged link is said to be damaged', async () => {
    const page = await open(browser, { fragment: '#1.%%%%nonsense' });
    expect((await page.textContent('#toast')).includes('damaged'), 'nothing is said');
    same(await badge(page), 'extracted', 'the page works');
    await page.context().close();
  });
}

/** What the browser says about a file that was taken away is no mistake of the page. */
function forgetMissing(name) {
  const others = errors.filter((error) => !error.includes('ERR_FILE_NOT_FOUND'));
  expect(others.length < errors.length, `${name} was not missed`);
  errors.splice(0, errors.length, ...others);
}
