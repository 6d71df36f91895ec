// Bundles the extension, or its tests (`--tests`), into out/. `--production` makes it small.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

const production = process.argv.includes('--production');
const common = { bundle: true, sourcemap: !production, minify: production, logLevel: 'warning' };

await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
});
await build({
  ...common,
  entryPoints: ['src/webview.ts'],
  outfile: 'out/webview.js',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
});
if (process.argv.includes('--tests')) {
  await build({
    ...common,
    minify: false,
    sourcemap: true,
    entryPoints: readdirSync('tests')
      .filter((name) => /\.(test|check)\.ts$/.test(name))
      .map((name) => `tests/${name}`),
    outdir: 'out/tests',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
  });
}
