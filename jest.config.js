const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // No measure of speed: longer than the longest wait within a test, on a machine that has much else to do.
  testTimeout: 180_000,
  // Two cores are what a test run is sized for; jest by itself would leave one of them idle.
  maxWorkers: 2,
  // Before jest's own, whose summary stays last.
  reporters: ['<rootDir>/test/support/group-reporter.mjs', 'default'],
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/agent', '<rootDir>/test'],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': swc },
  moduleNameMapper: {
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.+)\\.js$': '$1',
  },
};
