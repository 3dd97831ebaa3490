import config from './jest.config.js';

/* What a developer runs while working: everything but the hubs and the specs that wait for programs of their own. */
export default {
  ...config,
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/hubs/',
    '<rootDir>/test/process/',
    '<rootDir>/test/api/device-file-system',
    '<rootDir>/libs/local-postgres/src/local-postgres.spec.ts',
    '<rootDir>/agent/src/cli/cli.spec.ts',
  ],
};
