// What the engine is asked and what it answers: see crates/laban-wasm/README.md. Only what the page uses is listed.

export interface File {
  name: string;
  text: string;
}

export interface Place {
  file: number;
  from: number;
  to: number;
  line: number;
  column: number;
}

export interface Label {
  place: Place | null;
  label: string;
}

export interface Edit {
  file: number;
  from: number;
  to: number;
  text: string;
}

export interface Fix {
  title: string;
  edits: Edit[];
}

export interface Diagnostic {
  code: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  primary: Label;
  secondary: Label[];
  notes: Array<{ text: string; steps: string[]; leftOut: number }>;
  hints: string[];
  fixes: Fix[];
  rendered: string;
}

export interface Step {
  text: string;
  kind: 'value' | 'selection' | 'put' | 'take' | 'decision' | 'choice';
  from?: string;
  to?: string;
  process?: string;
  value?: string;
  label?: string;
  condition?: string;
  holds?: boolean;
  item?: number;
  places: Array<{ process: string; place: Place | null }>;
}

export interface PossibleStep extends Step {
  choice: number;
  race?: boolean;
}

export interface Stuck {
  process: string;
  wants: string;
  waitsFor: string;
  why: string;
  place: Place | null;
}

export interface Queue {
  from: string;
  to: string;
  messages: string[];
}

export interface Failure {
  kind: string;
  summary: string;
  diagnostic: number;
  processes: string[];
  run: Step[];
  cycle: Step[];
  choices?: number[];
  stuck: Stuck[];
  circles: string[][];
  waitingServices: Stuck[];
  queues: Queue[];
  hints: string[];
}

export interface Drawing {
  of: string;
  format: string;
  text: string | null;
  said: string;
}

export interface FileAnswer {
  name: string;
  language: string;
  description: string;
  kind: 'network' | 'choreography' | null;
}

/** What is in every answer. */
export interface Answer {
  exit: number;
  output: string;
  said: string;
  diagnostics: Diagnostic[];
  omitted: number;
  files: FileAnswer[];
  remarks: string[];
}

export interface AnalyseAnswer extends Answer {
  kind: 'network' | 'choreography' | null;
  usable: boolean;
  sequence: boolean;
}

export interface CheckAnswer extends AnalyseAnswer {
  summary: string | null;
  verdict: string | null;
}

export interface ExtractAnswer extends Answer {
  verdict: string | null;
  choreography: string | null;
  statistics: { processes: number; components: number; states: number; minimised: number; nodes: number; checked: number } | null;
  capacities: Array<{ from: string; to: string; messages: number }>;
  failures: Failure[];
  drawings: Drawing[];
}

export interface ProcessState {
  process: string;
  service: boolean;
  stopped: boolean;
  idle: boolean;
  stuck: boolean;
  next: string;
  place: Place | null;
}

export interface RunAnswer extends Answer {
  kind: string;
  choices: number[];
  at: number;
  steps: Step[];
  processes: ProcessState[];
  queues: Queue[];
  possible: PossibleStep[];
  status: 'running' | 'stopped' | 'deadlock' | 'orphan';
  stuck: boolean;
  standing: string;
  again: string | null;
  failures: Failure[];
  drawings: Drawing[];
}

export interface VerifyAnswer extends Answer {
  outcome: 'describes' | 'mismatch' | 'undecided' | null;
  drawings: Drawing[];
}

export interface EquivAnswer extends Answer {
  outcome: 'same' | 'different' | 'unknown' | null;
  sentence: string | null;
  drawings: Drawing[];
}

export interface TextAnswer extends Answer {
  text: string | null;
  fileName?: string;
  added?: string[];
}

export interface Language {
  name: string;
  description: string;
  extensions: string[];
}

export interface Target {
  name: string;
  description: string;
  extension: string;
  needs: 'network' | 'choreography' | 'graph' | 'either';
}

export interface VersionAnswer {
  version: string;
  reads: Language[];
  writes: Target[];
}

export interface Answers {
  version: VersionAnswer;
  analyse: AnalyseAnswer;
  check: CheckAnswer;
  extract: ExtractAnswer;
  draw: Answer;
  run: RunAnswer;
  verify: VerifyAnswer;
  equiv: EquivAnswer;
  project: TextAnswer;
  amend: TextAnswer;
  fmt: TextAnswer;
  convert: TextAnswer;
}

export type Request<D extends keyof Answers = keyof Answers> = { do: D } & Record<string, unknown>;
