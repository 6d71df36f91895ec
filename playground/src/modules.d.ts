// Modules that the build puts in.
declare module 'laban:first' {
  const part: Array<{ packed: string; length: number }>;
  export default part;
}
declare module 'laban:worker' {
  const source: string;
  export default source;
}
declare module 'laban:examples' {
  const groups: import('./examples').ExampleGroup[];
  export default groups;
}
