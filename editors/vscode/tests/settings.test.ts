import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KINDS } from '../src/protocol.js';
import { documentSelector, initializationOptions, serverCommand, startFailure } from '../src/settings.js';
import { extension } from './tokens.js';

const settings = { path: 'laban', maxStates: 5, timeout: 2.5, markdown: true, diagrams: true };

interface Manifest {
  readonly contributes: {
    readonly languages: readonly { id: string; extensions: string[]; configuration: string }[];
    readonly grammars: readonly { scopeName: string; path: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { default: unknown }>> };
    readonly commands: readonly { command: string }[];
  };
}
const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as Manifest;
const source = readFileSync(join(extension, 'src/extension.ts'), 'utf8');

describe('the settings', () => {
  it('say which program is started', () => {
    assert.equal(serverCommand('laban', '/home/me'), 'laban');
    assert.equal(serverCommand('  ', '/home/me'), 'laban');
    assert.equal(serverCommand('~/bin/laban', '/home/me'), '/home/me/bin/laban');
    assert.equal(serverCommand('/opt/~/laban', '/home/me'), '/opt/~/laban');
    assert.equal(serverCommand('~laban', '/home/me'), '~laban');
  });

  it('become options of the server', () => {
    assert.deepEqual(initializationOptions(settings), { maxStates: 5, timeout: 2.5, notifyAnalysed: true });
  });

  it('say which documents are checked', () => {
    const languages = (of: typeof settings) => new Set(documentSelector(of).map((one) => one.language ?? one.pattern));
    assert.equal(languages(settings).size, 4);
    const few = languages({ ...settings, markdown: false, diagrams: false });
    assert.deepEqual([...few], ['laban-net', 'laban-chor']);
    // What is shown beside a text is never sent to the server.
    assert.ok(documentSelector(settings).every((one) => ['file', 'untitled'].includes(one.scheme)));
  });

  it('are all declared, with the defaults of the code', () => {
    const declared = manifest.contributes.configuration.properties;
    const used = [...source.matchAll(/values\.get\('([a-zA-Z.]+)', ([^)]*)\)/g)];
    assert.equal(used.length, 5);
    for (const [, name, value] of used) {
      const expected = declared[`laban.${String(name)}`]?.default;
      assert.equal(JSON.stringify(expected), value?.replaceAll("'", '"').replaceAll('_', ''), name);
    }
  });

  it('are named when the server does not start', () => {
    assert.match(startFailure('/no/laban', new Error('ENOENT')), /`\/no\/laban lsp`.*"laban.server.path".*ENOENT/);
  });
});

describe('the manifest', () => {
  it('names files that are there', () => {
    const { languages, grammars } = manifest.contributes;
    for (const path of [...languages.map((one) => one.configuration), ...grammars.map((one) => one.path)]) {
      assert.doesNotThrow(() => JSON.parse(readFileSync(join(extension, path), 'utf8')) as unknown, path);
    }
    for (const { scopeName, path } of grammars) {
      const grammar = JSON.parse(readFileSync(join(extension, path), 'utf8')) as { scopeName: string };
      assert.equal(grammar.scopeName, scopeName);
    }
  });

  it('names commands that are registered', () => {
    for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`'${command}'`), command);
    assert.equal(Object.keys(KINDS).length, 6);
  });
});
