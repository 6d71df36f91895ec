// Checks the page in Chromium. scripts/check-playground builds it and the command first.
//
//   node tests/run.mjs [PART OF A NAME]

import { errors, expect, launch, requests, summary, check, command, dist } from './browser.mjs';
import { packing } from './packing.mjs';
import { loading } from './loading.mjs';
import { examples } from './examples.mjs';
import { stepping } from './stepping.mjs';
import { comparing } from './comparing.mjs';
import { files } from './files.mjs';
import { serving } from './serving.mjs';
import { hostile } from './hostile.mjs';
import { everybody } from './everybody.mjs';
import { speed } from './speed.mjs';
import { pictures } from './pictures.mjs';
import { existsSync } from 'node:fs';

if (!existsSync(`${dist}/index.html`) || !command) {
  console.error('the page or the command is missing: run scripts/build-playground and cargo build -p laban-cli first');
  process.exit(2);
}
const browser = await launch();
try {
  for (const part of [packing, loading, examples, stepping, comparing, files, serving, hostile, everybody, pictures]) await part(browser);
  // What is measured needs a machine that does nothing else.
  if (process.env.LABAN_MEASURE) await speed(browser);
  await check('nothing is asked of anybody', () => {
    const own = (url) => url.startsWith('file://') || url.startsWith('blob:') || url.startsWith('data:');
    const others = requests.filter((url) => !own(url));
    expect(others.length === 0, `asked for ${others.slice(0, 3).join(', ')}`);
    return `${requests.length} requests, all for the page's own files`;
  });
  await check('no script failed', () => expect(errors.length === 0, errors.slice(0, 5).join('\n')));
} finally {
  await browser.close();
}
process.exit(summary() ? 0 : 1);
