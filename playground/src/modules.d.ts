// Modules that the build puts in.
declare module 'laban:module' {
  const packed: string;
  export default packed;
}
declare module 'laban:worker' {
  const source: string;
  export default source;
}
declare module 'laban:examples' {
  const groups: import('./examples').ExampleGroup[];
  export default groups;
}
