import { defineConfig } from 'vitest/config';

import config from './vitest.config.js';

/*
 * The tests of the hubs and of the HTTP API, each with three nodes behind a balancer that gives each request and each upgrade to the next node.
 * `test/nodes/left-out.ts` lists the tests that hold for one node only.
 */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/{api,hubs}/**/*.e2e-spec.ts'],
    env: { ...config.test.env, TEST_NODES: 'yes' },
    setupFiles: ['test/nodes/leave-out.ts'],
  },
});
