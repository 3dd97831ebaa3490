import { expect, it } from 'vitest';

import type { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';
import { ALONE } from '../../platform/node/drain-times.js';
import type { LineToNodes } from '../../platform/node/line-standing.js';
import type { ServerNode } from '../../platform/node/server-node.js';
import { DatabaseProbe } from './database-probe.js';
import { Readiness } from './readiness.js';

it('is over for a node whose database goes away between the probe and the list of nodes', async () => {
  const probe = new DatabaseProbe({ query: () => Promise.resolve([]) } as unknown as ReportsDataSource);
  const node = { standing: { state: 'running', isReported: true, clockAheadMs: 0, isClockRight: true } } as unknown as ServerNode;
  const line = { standing: () => Promise.reject(new Error('terminating connection')) } as unknown as LineToNodes;
  const answer = await new Readiness(probe, node, ALONE, line).answer();
  expect(answer).toMatchObject({ status: 'NotReady', database: 'Unhealthy' });
  expect(answer).not.toHaveProperty('nats');
});
