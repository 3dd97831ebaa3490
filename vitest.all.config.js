import { defineConfig } from 'vitest/config';

import config from './vitest.config.js';
import nodes from './vitest.nodes.config.js';

/** The tests that run with three nodes, too: of agents, devices, transports, terminals and the relay. */
const ON_NODES = [
  'test/hubs/devices/{agent,device}-*',
  'test/hubs/live/{agent-*,relay.*,viewer-connection.*,viewer-terminals.*,viewer-transports.*}',
];

/* All tests, and those that run with three nodes, too. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: [
      { ...config, test: { ...config.test, name: 'one node' } },
      { ...nodes, test: { ...nodes.test, name: 'three nodes', include: ON_NODES } },
    ],
  },
});
