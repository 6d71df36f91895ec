// Builds playground/dist: index.html, style.css, app.js with what the first answers need of the engine, rest.js with the rest
// of it, and editor.js. With --limits, it fails if they are too large.
//
//   node build.mjs        (scripts/build-playground does everything that comes before)

import { build } from 'esbuild';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { packed } from './pack.mjs';
import { split } from './split.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, 'dist');
const wasm = process.env.LABAN_WASM ?? join(root, 'target/playground/laban-named.wasm');

/** The most that each of these may be, compressed with gzip, in bytes. */
const LIMITS = [
  { what: 'to the first answer', most: 400_000, has: (name) => name !== 'editor.js' && name !== 'rest.js' },
  { what: 'without the editor', most: 700_000, has: (name) => name !== 'editor.js' },
  { what: 'all', most: 900_000, has: () => true },
];

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
    const contents = async () => ({ contents: JSON.stringify(await packed(first)), loader: 'json' });
    plugin.onLoad({ filter: /:first$/, namespace: 'laban' }, contents);
    plugin.onLoad({ filter: /:worker$/, namespace: 'laban' }, async () => {
      const result = await build({
        entryPoints: [join(here, 'src/engine/worker.ts')],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target,
      });
      return { contents: `export default ${JSON.stringify(result.outputFiles[0].text)}`, loader: 'js' };
    });
    plugin.onLoad({ filter: /:examples$/, namespace: 'laban' }, () => ({ contents: JSON.stringify(groups), loader: 'json' }));
  },
};

if (!existsSync(wasm)) {
  console.error(`${wasm} is missing: run scripts/build-wasm first`);
  process.exit(2);
}
const groups = examples();
const networks = groups.flatMap(({ list }) => list).filter(({ file }) => file.endsWith('.net'));
const { first, rest } = split(wasm, networks.map(({ file, text }) => ({ name: file, text })));
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const common = { bundle: true, minify: true, format: 'iife', target, legalComments: 'none', charset: 'utf8', logLevel: 'warning' };
await build({ ...common, entryPoints: [join(here, 'src/app.ts')], outfile: join(dist, 'app.js'), plugins: [parts] });
await build({ ...common, entryPoints: [join(here, 'src/editor/editor.ts')], outfile: join(dist, 'editor.js') });
await build({ ...common, entryPoints: [join(here, 'src/style.css')], outfile: join(dist, 'style.css') });
writeFileSync(join(dist, 'rest.js'), `labanRest=${JSON.stringify(await packed(rest))}`);
const html = readFileSync(join(here, 'src/index.html'), 'utf8');
writeFileSync(join(dist, 'index.html'), html.replace(/\n\s+</g, '\n<'));

/** What a host sends: compressed with gzip, as all do, or with brotli, as many do. */
const sizes = readdirSync(dist).sort().map((name) => {
  const bytes = readFileSync(join(dist, name));
  return { name, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
});
const row = (name, ...numbers) => console.log(name.padEnd(20), ...numbers.map((number) => String(number).padStart(9)));
row('', 'bytes', 'gzip', 'brotli');
for (const { name, bytes, gzip, brotli } of sizes) row(name, bytes, gzip, brotli);
for (const { what, most, has } of LIMITS) {
  const sum = (kind) => sizes.filter(({ name }) => has(name)).reduce((all, size) => all + size[kind], 0);
  row(what, sum('bytes'), sum('gzip'), sum('brotli'));
  if (sum('gzip') <= most) continue;
  console.error(`the page is larger than it should be: ${what}, at most ${most} with gzip`);
  if (process.argv.includes('--limits')) process.exitCode = 1;
}
