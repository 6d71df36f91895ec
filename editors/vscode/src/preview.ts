// The diagram beside the text: a panel that follows the edits and the cursor.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { page } from './page.js';
import { type Kind, type Preview, type Target, sameAddress } from './protocol.js';
import { type FromPage, type Show, type State, type View, fromPage, nextView } from './view.js';

export const VIEW_TYPE = 'laban.preview';

/** Asks the server; nothing if there is nothing to show or no server. */
export type Ask = (target: Target, kind: Kind, token?: vscode.CancellationToken) => Promise<Preview | undefined>;

/** How long the cursor rests before the preview follows it into another block of Markdown. */
const REST = 200;

export class PreviewPanel implements vscode.Disposable {
  private target: Target;
  private kind: Kind;
  private view: View | undefined;
  private question: vscode.CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[] = [];

  constructor(
    private readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    state: State,
    private readonly ask: Ask,
    whenClosed: () => void,
  ) {
    this.target = { uri: state.uri };
    this.kind = state.kind;
    const out = vscode.Uri.joinPath(extension, 'out');
    panel.webview.options = { enableScripts: true, localResourceRoots: [out] };
    this.disposables.push(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = fromPage(value);
        if (message !== undefined) void this.receive(message);
      }),
      panel.onDidDispose(() => {
        this.dispose();
        whenClosed();
      }),
      vscode.window.onDidChangeActiveColorTheme(() => void this.refresh()),
    );
    panel.webview.html = page({
      source: panel.webview.cspSource,
      script: panel.webview.asWebviewUri(vscode.Uri.joinPath(out, 'webview.js')).toString(),
      nonce: randomBytes(18).toString('base64url'),
    });
  }

  /** Shows something else. */
  show(target: Target, kind: Kind = this.kind): void {
    if (!sameAddress(target.uri, this.target.uri)) this.view = undefined;
    this.target = target;
    this.kind = kind;
    void this.refresh();
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** The server knows all about a text. */
  analysed(uri: string): void {
    if (sameAddress(uri, this.target.uri)) void this.refresh();
  }

  /** The cursor is elsewhere: in another text, or maybe in another block of a Markdown file. */
  follow(target: Target): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.show(target);
    }, REST);
  }

  /** Asks the server and shows the answer, unless the question is asked again meanwhile. */
  private async refresh(): Promise<void> {
    this.question?.cancel();
    const question = new vscode.CancellationTokenSource();
    this.question = question;
    const { target, kind } = this;
    const found = await this.ask(target, kind, question.token);
    question.dispose();
    if (this.question !== question) return;
    this.question = undefined;
    const theme = vscode.window.activeColorTheme.kind;
    const dark = theme === vscode.ColorThemeKind.Dark || theme === vscode.ColorThemeKind.HighContrast;
    this.view = nextView(this.view, kind, found, dark);
    if (this.view.title !== '') this.panel.title = `Laban: ${this.view.title}`;
    const message: Show = { type: 'show', view: this.view, state: { uri: target.uri, kind } };
    await this.panel.webview.postMessage(message);
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.refresh();
      case 'kind':
        this.kind = message.kind;
        return this.refresh();
      case 'copy':
        if (this.view?.text === undefined) return;
        await vscode.env.clipboard.writeText(this.view.text);
        vscode.window.setStatusBarMessage('Copied', 2000);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.question?.cancel();
    this.question = undefined;
    for (const disposable of this.disposables.splice(0)) disposable.dispose();
  }
}
