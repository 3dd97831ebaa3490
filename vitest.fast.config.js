import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';

import config from './vitest.config.js';

/* The tests to run while working, in less than two minutes. CONTRIBUTING.md says what is left out. */
export default mergeConfig(
  config,
  defineConfig({
    test: {
      // Nothing of this waits for long.
      maxWorkers: 2,
      exclude: [
        ...configDefaults.exclude,
        // Hubs, attacks, sweeps over all routes and over random rules, and lists of many thousand items.
        'test/hubs/**',
        'test/api/attacks/**',
        'test/api/matrix/**',
        'test/api/**/long-*',
        'test/api/platform/compression*',
        // Specs that wait for processes (the service, the agent, a browser, PostgreSQL, shells, npm, the compiler, the build of the
        // front end), or for the seconds that an agent leaves between two reports.
        'test/process/**',
        'test/nodes/faults/**',
        'test/browser/**',
        'test/components/**',
        'test/api/devices/device-file-system*',
        'test/api/devices/desktop-preview*',
        'test/api/devices/internal-file-system*',
        'test/contract/first-load.spec.ts',
        'test/contract/front-end-paths.spec.ts',
        'test/contract/generated-client.spec.ts',
        'libs/signalr/test/**',
        'libs/local-postgres/src/local-postgres.spec.ts',
        'libs/local-postgres/src/binaries.spec.ts',
        'agent/bundle/install-sh.spec.ts',
        'agent/src/chat/chat.spec.ts',
        'agent/src/agent.spec.ts',
        'agent/src/wrong-clock.spec.ts',
        'agent/src/cli/cli.spec.ts',
        'agent/src/cli/exit-codes.spec.ts',
        'agent/src/connection/server-away.spec.ts',
        'agent/src/cli/stuck-program.spec.ts',
        'agent/src/desktop/desktop.spec.ts',
        'agent/src/remote-control/sessions.spec.ts',
        'agent/src/terminal/terminal.spec.ts',
      ],
    },
  }),
);
