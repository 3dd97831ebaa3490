/** The modules of class-validator, each of which exports some of what the package exports. They have no types of their own. */
declare module 'class-validator/cjs/*' {
  export * from 'class-validator';
}
