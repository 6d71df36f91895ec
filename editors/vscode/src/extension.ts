// Starts the server and puts together what shows its answers. What can be said without an editor is in the other modules.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, TransportKind } from 'vscode-languageclient/node';
import { PreviewPanel, VIEW_TYPE } from './preview.js';
import {
  type Kind,
  type Preview,
  SHOW_CHOREOGRAPHY,
  SHOW_DIAGRAM,
  type Target,
  analysed,
  preview,
  targetOfArguments,
} from './protocol.js';
import { type Settings, documentSelector, initializationOptions, serverCommand, startFailure } from './settings.js';
import { SCHEME, Texts } from './texts.js';
import { type State, stateOf } from './view.js';

/** What a test, or another extension, can get hold of. */
export interface Api {
  /** The client, once it was started. */
  client(): LanguageClient | undefined;
}

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const started = new Extension(context);
  extension = started;
  context.subscriptions.push(started);
  await started.start();
  return { client: () => started.client };
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
  extension = undefined;
}

function settings(): Settings {
  const values = vscode.workspace.getConfiguration('laban');
  return {
    path: values.get('server.path', 'laban'),
    maxStates: values.get('search.maxStates', 200_000),
    timeout: values.get('search.timeout', 10),
    markdown: values.get('markdown', true),
    diagrams: values.get('diagrams', true),
  };
}

class Extension implements vscode.Disposable {
  client: LanguageClient | undefined;
  private panel: PreviewPanel | undefined;
  private readonly output: vscode.LogOutputChannel;
  private readonly texts: Texts;
  private readonly status: vscode.LanguageStatusItem;
  private readonly summaries = new Map<string, string>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/*.{net,chor}');
  /** Done when all that was asked of the server's life so far is done: one start or stop comes after the other. */
  private turn: Promise<void> = Promise.resolve();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext) {
    this.output = vscode.window.createOutputChannel('Laban', { log: true });
    this.texts = new Texts((target, kind, token) => this.ask(target, kind, token));
    this.status = vscode.languages.createLanguageStatusItem('laban', [
      { language: 'laban-net' },
      { language: 'laban-chor' },
    ]);
    this.status.name = 'Laban';
    this.status.text = 'Laban';
    this.disposables = [
      this.output,
      this.texts,
      this.status,
      this.watcher,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this.texts),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (panel: vscode.WebviewPanel, value: unknown) => {
          const state = stateOf(value);
          if (state === undefined) panel.dispose();
          else this.adopt(panel, state);
          return Promise.resolve();
        },
      }),
      this.command('laban.openDiagram', (target) => {
        this.openDiagram(target);
      }),
      this.command('laban.openChoreography', (target) => this.texts.open('choreography', target)),
      this.command('laban.openNetwork', (target) => this.texts.open('network', target)),
      vscode.commands.registerCommand('laban.restartServer', () => this.restart()),
      vscode.commands.registerCommand('laban.showOutput', () => {
        this.output.show();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const parts = ['laban.server', 'laban.search', 'laban.markdown', 'laban.diagrams'];
        if (parts.some((part) => event.affectsConfiguration(part))) void this.restart();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.follow(editor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        // Elsewhere, the place of the cursor makes no difference.
        if (textEditor.document.languageId === 'markdown') this.follow(textEditor);
      }),
    ];
  }

  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }

  private restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  private inTurn(run: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(run);
    return this.turn;
  }

  private async startNow(): Promise<void> {
    const current = settings();
    const command = serverCommand(current.path, homedir());
    const server = { command, args: ['lsp'], transport: TransportKind.stdio };
    const options: LanguageClientOptions = {
      documentSelector: documentSelector(current),
      initializationOptions: initializationOptions(current),
      outputChannel: this.output,
      synchronize: { fileEvents: this.watcher },
      middleware: {
        // Code lenses name commands of the server, but showing is done here.
        executeCommand: async (name, values: unknown[], next): Promise<unknown> => {
          if (name !== SHOW_CHOREOGRAPHY && name !== SHOW_DIAGRAM) return next(name, values) as unknown;
          const target = targetOfArguments(values) ?? targetOf(vscode.window.activeTextEditor);
          if (target === undefined) return undefined;
          if (name === SHOW_DIAGRAM) this.openDiagram(target);
          else await this.texts.open('choreography', target);
          return undefined;
        },
      },
    };
    const client = new LanguageClient('laban', 'Laban', server, options);
    this.client = client;
    client.onNotification('laban/analysed', (value: unknown) => {
      const about = analysed(value);
      if (about === undefined) return;
      this.summaries.set(about.uri, about.summary);
      this.showStatus();
      this.panel?.analysed(about.uri);
      this.texts.analysed(about.uri);
    });
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      this.output.error(String(error));
      const openSettings = 'Open Settings';
      void vscode.window.showErrorMessage(startFailure(command, error), openSettings).then((choice) => {
        if (choice === openSettings) {
          void vscode.commands.executeCommand('workbench.action.openSettings', 'laban.server.path');
        }
      });
    }
  }

  private async stopNow(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    this.summaries.clear();
    // One that did not start, or is gone, cannot be stopped.
    if (client?.needsStop() === true) await client.stop().catch(() => undefined);
  }

  /** A command for the text of the active editor. */
  private command(name: string, run: (target: Target) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(name, async () => {
      const target = targetOf(vscode.window.activeTextEditor);
      if (target !== undefined) await run(target);
    });
  }

  private async ask(target: Target, kind: Kind, token?: vscode.CancellationToken): Promise<Preview | undefined> {
    if (this.client?.isRunning() !== true) return undefined;
    try {
      const question = { ...target, kind };
      return preview(await this.client.sendRequest<unknown>('laban/preview', question, token));
    } catch (error) {
      if (token?.isCancellationRequested !== true) this.output.warn(`laban/preview: ${String(error)}`);
      return undefined;
    }
  }

  private openDiagram(target: Target): void {
    if (this.panel === undefined) {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Laban', place);
      this.adopt(panel, { uri: target.uri, kind: 'sequence' });
    }
    this.panel?.reveal();
    this.panel?.show(target);
  }

  private adopt(panel: vscode.WebviewPanel, state: State): void {
    const adopted: PreviewPanel = new PreviewPanel(
      panel,
      this.context.extensionUri,
      state,
      (target, kind, token) => this.ask(target, kind, token),
      () => {
        if (this.panel === adopted) this.panel = undefined;
      },
    );
    this.panel = adopted;
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    this.showStatus();
    const target = targetOf(editor);
    if (target !== undefined) this.panel?.follow(target);
  }

  private showStatus(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const summary = uri === undefined ? undefined : this.summaries.get(uri);
    this.status.text = summary ?? 'Laban';
  }

  dispose(): void {
    this.panel?.dispose();
    for (const disposable of this.disposables.splice(0)) disposable.dispose();
  }
}

/** The text of an editor, if Laban may know it, and where its cursor is if that makes a difference. */
function targetOf(editor: vscode.TextEditor | undefined): Target | undefined {
  if (editor === undefined || editor.document.uri.scheme === SCHEME) return undefined;
  if (vscode.languages.match(documentSelector(settings()), editor.document) === 0) return undefined;
  const uri = editor.document.uri.toString();
  const { line, character } = editor.selection.active;
  return editor.document.languageId === 'markdown' ? { uri, position: { line, character } } : { uri };
}
