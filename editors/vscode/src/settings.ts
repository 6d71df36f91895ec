// From the settings to the server's command and options. Pure.

import { join } from 'node:path';

export interface Settings {
  readonly path: string;
  readonly maxStates: number;
  readonly timeout: number;
  readonly markdown: boolean;
  readonly diagrams: boolean;
}

/** The program to start, with `~` for the home directory. Never empty. */
export function serverCommand(path: string, home: string): string {
  const trimmed = path.trim();
  if (trimmed === '') return 'laban';
  return /^~(?=$|[/\\])/.test(trimmed) ? join(home, trimmed.slice(1)) : trimmed;
}

export interface InitializationOptions {
  readonly maxStates: number;
  readonly timeout: number;
  readonly notifyAnalysed: true;
}

export function initializationOptions({ maxStates, timeout }: Settings): InitializationOptions {
  return { maxStates, timeout, notifyAnalysed: true };
}

export interface DocumentFilter {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}

/** Files of other tools that Laban reads. */
export const DIAGRAMS = '**/*.{mmd,mermaid,puml,plantuml,pu,iuml,wsd,scr,nuscr,fsa,gc,sgg,bpmn,bpmn2}';

/** Which documents the server is told about. */
export function documentSelector({ markdown, diagrams }: Settings): DocumentFilter[] {
  const languages = ['laban-net', 'laban-chor', ...(markdown ? ['markdown'] : [])];
  const selector: DocumentFilter[] = languages.flatMap((language) => [
    { scheme: 'file', language },
    { scheme: 'untitled', language },
  ]);
  if (diagrams) selector.push({ scheme: 'file', pattern: DIAGRAMS });
  return selector;
}

/** What to say if the server did not start. */
export function startFailure(command: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The language server of Laban did not start: \`${command} lsp\`. Is Laban installed, and is "laban.server.path" right? (${reason})`;
}
