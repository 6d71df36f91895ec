// Files in and out: dropped, chosen, exported.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { answeredAfter, badge, check, choose, drop, expect, laban, open, root, same } from './browser.mjs';

const example = (name) => readFileSync(join(root, 'examples/formats', name), 'utf8');

/** The texts of the tests of all readers, if they are in one file, and one of each language that is in none of them. */
function samples() {
  const folder = join(root, 'crates/laban-formats/tests/suite/goldens');
  const texts = [
    { name: 'two-buyer.json', text: laban(['convert', 'two-buyer.net', '--to', 'json']).stdout },
    { name: 'protocol.md', text: example('protocol.md') },
    { name: 'hello.net', text: 'p { main { q!<x>; stop } } | q { main { p?; stop } }' },
    { name: 'hello.chor', text: 'main { p.x -> q; stop }' },
  ];
  for (const file of readdirSync(folder).sort()) {
    const [, name, text, ...others] = readFileSync(join(folder, file), 'utf8').split(/\n===\n/)[0].split(/^--- (.*)\n/m);
    if (name && !others.length) texts.push({ name: basename(name), text });
  }
  return texts;
}

export async function files(browser) {
  await check('takes dropped files of other tools', async () => {
    const page = await open(browser);
    await page.waitForSelector('.cm-editor');
    const seen = [];
    for (const name of ['oauth.scr', 'login.mmd', 'order.puml', 'auction.nuscr', 'ping-pong.fsa', 'rounds.gc', 'toll.dot']) {
      await drop(page, name, example(name));
      const word = await badge(page);
      expect(['extracted', 'projected', 'no projection', 'deadlock', 'livelock'].includes(word), `${name}: ${word}`);
      const view = await page.textContent('#view-answer');
      const shown = await page.locator('#panel-answer pre').first().textContent();
      const told = laban([view === 'Choreography' || view === 'Explanation' ? 'extract' : 'project', `formats/${name}`, '--max-states', '200000']);
      if (told.status === 0) same(shown, told.stdout, name);
      await page.click('#view-sequence');
      await page.waitForSelector('#panel-sequence svg.laban');
      await page.click('#view-answer');
      seen.push(`${name} ${word}`);
    }
    await page.context().close();
    return seen.join(', ');
  });

  await check('says what the command says about dropped files in every language', async () => {
    const page = await open(browser);
    const missing = new Set(await page.evaluate(() => window.laban.ask({ do: 'version' }).then(({ reads }) => reads.map(({ name }) => name))));
    const folder = mkdtempSync(join(tmpdir(), 'playground-'));
    const texts = samples();
    for (const { name, text } of texts) {
      writeFileSync(join(folder, name), text);
      await drop(page, name, text);
      const { files, kind } = await page.evaluate(({ name, text }) => window.laban.ask({ do: 'analyse', files: [{ name, text }] }), { name, text });
      missing.delete(files[0].language);
      const word = await badge(page);
      expect(!['failed', 'stopped'].includes(word), `${name}: ${word}`);
      const told = laban([kind === 'choreography' ? 'project' : 'extract', name, '--max-states', '200000'], folder);
      const shown = await page.locator('#panel-answer pre').allTextContents();
      if (told.status === 0) same(shown[0] ?? '', told.stdout, name);
      else same(shown.at(-1) ?? '', told.stderr, `${name}, what is said`);
    }
    rmSync(folder, { recursive: true });
    expect(missing.size === 0, `nothing in ${[...missing].join(', ')} was tried`);
    await page.context().close();
    return `${texts.length} files`;
  });

  await check('opens a chosen file', async () => {
    const page = await open(browser);
    await answeredAfter(page, () => page.setInputFiles('#file', join(root, 'examples/formats/login.mmd')));
    same(await page.inputValue('#name'), 'login.mmd', 'the name');
    await answeredAfter(page, () => page.click('#amend'));
    same(await badge(page), 'projected', 'the verdict');
    await page.context().close();
  });

  await check('exports texts, drawings, images and other languages', async () => {
    const page = await open(browser);
    await choose(page, 'two-buyer.net');
    const names = [];
    const get = async (title) => {
      await page.click('#export');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#export-panel button[title="${title}"]`)]);
      names.push(download.suggestedFilename());
      return readFileSync(await download.path());
    };
    same((await get('What was found')).toString(), laban(['extract', 'two-buyer.net']).stdout, 'the choreography');
    const drawn = { sequence: 'Sequence diagram', protocol: 'Choreography as a graph', seg: 'Execution graph', automata: 'Automata', communications: 'Who talks to whom' };
    for (const [of, title] of Object.entries(drawn)) {
      for (const format of of === 'sequence' ? ['svg', 'mermaid', 'markdown', 'plantuml'] : ['svg', 'mermaid', 'dot']) {
        const told = laban(['graph', 'two-buyer.net', '--of', of, '--format', format]);
        same((await get(`${title} as ${format}`)).toString(), told.stdout, `${of} as ${format}`);
      }
      const image = await get(`${title} as png`);
      expect(image.subarray(1, 4).toString() === 'PNG' && image.length > 2000, `${of} as PNG: ${image.length} bytes`);
      const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
      expect(width > 200 && height > 100, `${of} as PNG: ${width} × ${height}`);
    }
    const targets = await page.evaluate(() => window.laban.ask({ do: 'version' }).then(({ writes }) => writes));
    let refused = 0;
    for (const target of targets) {
      const told = laban(['convert', 'two-buyer.net', '--to', target.name]);
      if (told.status !== 0) {
        refused += 1;
        continue;
      }
      same((await get(target.description)).toString(), told.stdout, target.name);
    }
    await page.context().close();
    return `${names.length} files: ${[...new Set(names.map((name) => name.split('.').at(-1)))].join(', ')}; ${refused} languages cannot say it`;
  });
}
