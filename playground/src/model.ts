// What the page knows: the two texts, how they are read, and the answer about the one that is shown. Panels get it from here.

import type { Example } from './examples';
import type { AnalyseAnswer, ExtractAnswer, Request, Answers, TextAnswer } from './engine/types';
import type { Options } from './options';
import type { Source } from './source';

export interface Text {
  name: string;
  text: string;
  example?: Example | undefined;
}

/** What is known of the text that is shown. */
export interface Known {
  analyse: AnalyseAnswer;
  /** Of a network. */
  extract?: ExtractAnswer;
  /** Of a choreography. */
  project?: TextAnswer;
}

export interface Page {
  readonly texts: [Text, Text];
  /** Which of them is shown. */
  readonly shown: 0 | 1;
  readonly known: Known | null;
  readonly options: Options;
  readonly source: Source;
  /** A request about the text that is shown, with the options. */
  request<D extends keyof Answers>(what: D, more?: Record<string, unknown>): Request<D>;
  /** Shows another view. */
  view(id: string, focus?: boolean): void;
  /** Steps through a run. */
  follow(choices: number[], at: number): void;
  openText(text: Text, index: 0 | 1): void;
  showText(index: 0 | 1): void;
}

/** What a panel does: it is shown, and it is told when what it shows has become old. */
export interface Panel {
  /** The text or the options have changed. */
  forget(): void;
  /** Somebody looks at it. */
  show(): void;
  /** Somebody no longer looks at it. */
  hide?(): void;
}

/** The options in the words of the engine. */
export function optionFields(options: Options): Record<string, unknown> {
  return {
    maxStates: options.max_states,
    ...(options.services.length && { services: options.services }),
    ...(options.fair && { fair: true }),
    ...(options.strict_services && { strictServices: true }),
    ...(options.channels && { channels: options.channels }),
    ...(options.any_conditions && { conditions: 'any' }),
  };
}
