// Builds playground/dist: index.html, style.css, app.js with the engine inside, and editor.js, and fails if they are too large.
//
//   node build.mjs        (scripts/build-playground does everything that comes before)

import { build } from 'esbuild';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist='/tmp/pw/dist';
const wasm = process.env.LABAN_WASM ?? join(root, 'target/playground/laban.wasm');

/** Compressed, in bytes. */
const MOST_WITHOUT_EDITOR = 400_000;
const MOST = 900_000;

const packer = { level: 9, memLevel: 9, windowBits: 15, strategy: constants.Z_DEFAULT_STRATEGY };
const target = ['chrome123', 'firefox125', 'safari17.5'];

/** The story of an example: its opening comment, without the slashes and without what to type. */
function storyOf(text) {
  const lines = [];
  for (const line of text.split('\n')) {
    const comment = /^\s*(?:\/\/|%%|#|')\s?(.*)$/.exec(line);
    if (!comment) break;
    lines.push(comment[1]);
  }
  const story = lines.join('\n');
  const [told] = story.split(/^(?:Try|Expect):/m);
  const expect = /^Expect: ([^]*?)(?=^Try:|$(?![^]))/m.exec(story)?.[1];
  const flat = (part) => part?.replace(/\s+/g, ' ').trim() ?? '';
  return { story: flat(told), expect: flat(expect) };
}

/** The examples in the groups of examples/README.md: rows of tables, and items of lists. */
function examples() {
  const folder = join(root, 'examples');
  const groups = [];
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const section of readme.split(/^## /m).slice(1)) {
    const title = section.split('\n', 1)[0].trim();
    const list = [];
    const add = (file, about) => {
      const path = join(folder, file);
      if (!existsSync(path) || !/\.(net|chor|scr|nuscr|mmd|puml|fsa|txt|gc|dot|md)$/.test(file)) return;
      const text = readFileSync(path, 'utf8');
      list.push({ file, about: about.replaceAll('\\|', '|').replaceAll('`', ''), ...storyOf(text), text });
    };
    for (const line of section.split('\n')) {
      const item = /^- \[[^\]]+\]\(([^)]+)\): (.*)$/.exec(line);
      if (item) add(item[1], item[2]);
      if (!line.startsWith('| [')) continue;
      const [, files, about] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      for (const [, shown, file] of files.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
        add(file, shown.startsWith('-') ? 'two copies side by side' : about);
      }
    }
    if (list.length) groups.push({ title, list });
  }
  return groups;
}

const parts = {
  name: 'laban',
  setup(plugin) {
    plugin.onResolve({ filter: /^laban:/ }, ({ path }) => ({ path, namespace: 'laban' }));
    plugin.onLoad({ filter: /:module$/, namespace: 'laban' }, () => {
      const packed = deflateRawSync(readFileSync(wasm), packer).toString('base64');
      return { contents: `export default ${JSON.stringify(packed)}`, loader: 'js' };
    });
    plugin.onLoad({ filter: /:worker$/, namespace: 'laban' }, async () => {
      const result = await build({
        entryPoints: [join(here, 'src/engine/worker.ts')],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target,
      });
      return { contents: `export default ${JSON.stringify(readFileSync('/tmp/pw/mock/w.js','utf8'))}`, loader: 'js' };
    });
    plugin.onLoad({ filter: /:examples$/, namespace: 'laban' }, () => ({ contents: JSON.stringify(examples()), loader: 'json' }));
  },
};

if (!existsSync(wasm)) {
  console.error(`${wasm} is missing: run scripts/build-wasm first`);
  process.exit(2);
}
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const common = { bundle: true, minify: true, format: 'iife', target, legalComments: 'none', charset: 'utf8', logLevel: 'warning' };
await build({ ...common, entryPoints: [join(here, 'src/app.ts')], outfile: join(dist, 'app.js'), plugins: [parts] });
await build({ ...common, entryPoints: [join(here, 'src/editor/editor.ts')], outfile: join(dist, 'editor.js') });
await build({ ...common, entryPoints: [join(here, 'src/style.css')], outfile: join(dist, 'style.css') });
const html = readFileSync(join(here, 'src/index.html'), 'utf8');
writeFileSync(join(dist, 'index.html'), html.replace(/\n\s+</g, '\n<'));

let all = 0;
let withoutEditor = 0;
for (const name of readdirSync(dist).sort()) {
  const bytes = readFileSync(join(dist, name));
  const size = gzipSync(bytes, { level: 9 }).length;
  all += size;
  if (name !== 'editor.js') withoutEditor += size;
  console.log(`${name.padEnd(12)} ${String(bytes.length).padStart(9)} bytes, ${String(size).padStart(7)} compressed`);
}
console.log(`without the editor: ${withoutEditor} bytes compressed, at most ${MOST_WITHOUT_EDITOR}`);
console.log(`all:                ${all} bytes compressed, at most ${MOST}`);
if (withoutEditor > MOST_WITHOUT_EDITOR || all > MOST) {
  console.error('the page is too large');
  process.exit(1);
}
