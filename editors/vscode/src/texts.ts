// Read-only texts that show the choreography of a network, or the network of a choreography, and follow the edits.

import * as vscode from 'vscode';
import type { Ask } from './preview.js';
import { type Target, addressOfText, sameAddress, textOf, textOfQuery } from './protocol.js';

export const SCHEME = 'laban';

export class Texts implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly ask: Ask) {}

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const shown = textOfQuery(uri.query);
    return textOf(shown === undefined ? undefined : await this.ask(shown.of, shown.kind, token));
  }

  /** Opens such a text beside the one that it is about. */
  async open(kind: 'choreography' | 'network', target: Target): Promise<void> {
    const { path, query } = addressOfText(kind, target);
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query });
    const document = await vscode.workspace.openTextDocument(uri);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  /** The server knows all about a text. */
  analysed(uri: string): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== SCHEME) continue;
      const shown = textOfQuery(document.uri.query);
      if (shown !== undefined && sameAddress(shown.of.uri, uri)) this.changed.fire(document.uri);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}
