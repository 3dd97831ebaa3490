import config from './jest.config.js';

/* The tests to run while working, in less than two minutes. CONTRIBUTING.md says what is left out. */
export default {
  ...config,
  testPathIgnorePatterns: [
    '/node_modules/',
    // Hubs, sweeps over all routes, and lists of many thousand items.
    '<rootDir>/test/hubs/',
    '<rootDir>/test/api/matrix/',
    '<rootDir>/test/api/long-lists',
    '<rootDir>/test/api/compression',
    // Specs that wait for processes: the service, the agent, PostgreSQL, shells, the TypeScript compiler.
    '<rootDir>/test/process/',
    '<rootDir>/test/api/device-file-system',
    '<rootDir>/test/contract/generated-client.spec.ts',
    '<rootDir>/libs/local-postgres/src/local-postgres.spec.ts',
    '<rootDir>/libs/local-postgres/src/binaries.spec.ts',
    '<rootDir>/agent/src/cli/cli.spec.ts',
    '<rootDir>/agent/src/terminal/terminal.spec.ts',
  ],
};
