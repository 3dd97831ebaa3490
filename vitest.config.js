import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import LongestFirst from './test/support/runner/longest-first.ts';

export default defineConfig({
  resolve: {
    alias: [
      { find: /^#libs\/([^/]+)$/, replacement: fileURLToPath(new URL('libs/$1/src/index.ts', import.meta.url)) },
      { find: /^#libs\/([^/]+)\/([^/]+)$/, replacement: fileURLToPath(new URL('libs/$1/src/$2/index.ts', import.meta.url)) },
    ],
  },
  test: {
    include: ['{src,libs,agent,test,web}/**/*.{spec,e2e-spec}.ts'],
    globalSetup: ['test/support/runner/global-setup.ts'],
    // The spec files of a worker share its modules. Loading them anew for each file took longer than most files run.
    isolate: false,
    pool: 'forks',
    // The threads of the service run its TypeScript as it stands.
    execArgv: ['--import', fileURLToPath(new URL('test/support/processes/run-typescript.mjs', import.meta.url))],
    // Two cores are what a test run is sized for. The other workers use them while specs wait for processes and browsers.
    maxWorkers: 4,
    // The order comes from `LongestFirst`. Runs on several versions of Node.js would write one file at the same time.
    cache: false,
    env: {
      // Applications of tests share databases with each other, as several nodes would.
      DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes',
      // Agents that start ask for updates of packages: apt compares all lists of the machine then, which takes seconds of its processor.
      APT_CONFIG: fileURLToPath(new URL('test/support/runner/no-package-lists.conf', import.meta.url)),
    },
    // No measure of speed: longer than the longest wait within a test, on a machine that has much else to do.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    teardownTimeout: 60_000,
    slowTestThreshold: 5_000,
    // The order that they are registered in, for what runs after tests as well.
    sequence: { hooks: 'list', sequencer: LongestFirst },
    reporters: ['default', 'test/support/runner/group-reporter.ts'],
  },
});
