import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, bundlePlatform, hubOk, viewerHub } from '#libs/contracts';

import { downloadBundle } from '../../../agent/src/updates/download.js';
import { offeredBundle, requireSignature } from '../../../agent/src/updates/offered-bundle.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { FakeAgent, registerKeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { withClock } from '../../support/processes/wrong-clock.js';
import { Balancer } from '../support/balancer.js';
import { processNodes } from '../load/process-nodes.js';
import { noNats, type NatsServer } from '../support/nats-server.js';
import { startNats } from '../support/node-options.js';
import { isLong } from '../../support/rounds.js';

/*
 * Four nodes start at once on an empty database, on copies of one data folder. The clock of one is off. All of them serve, and reach each
 * other.
 */

const NODES = 4;
/** The node whose clock is off. */
const WRONG = 3;
/** More than a clock may be off, and than the time after which a node counts as gone; less than the reports of agents may be late. */
const CLOCK_AHEAD_MS = 45_000;
/** Longer than nodes report before they judge others, and than the time after which one counts as gone. */
const STAY_SECONDS = 75;
const STAY_MS = 150_000;
const BUNDLE = Buffer.alloc(300_000, 'the agent ');
const PLATFORM = bundlePlatform(process.platform, process.arch);

describe.skipIf(noNats !== undefined)('nodes that start at once', () => {
  let nats: NatsServer;
  const nodes = processNodes(NODES, async (opened) => {
    const { machine } = opened;
    nats = await startNats();
    await opened.rows('DROP SCHEMA public CASCADE');
    await opened.rows('CREATE SCHEMA public');
    const folder = join(machine.folder, 'folder');
    await mkdir(join(folder, 'downloads', PLATFORM), { recursive: true });
    await writeFile(join(folder, 'downloads', PLATFORM, 'device-agent.tar.gz'), BUNDLE);
    await writeFile(join(folder, 'downloads', PLATFORM, 'device-agent.version'), '1.2.3.0');
    for (let number = 0; number < NODES; number += 1) await cp(folder, join(machine.folder, `copy-${number}`), { recursive: true });
    return {
      nats: nats.url,
      envOf: (number) => ({
        Service_DataPath: join(machine.folder, `copy-${number}`),
        ...(number === WRONG ? withClock(CLOCK_AHEAD_MS) : {}),
      }),
    };
  });
  let balancer: Balancer;

  beforeAll(async () => {
    balancer = await Balancer.inFrontOf(Array.from({ length: NODES }, (_, number) => nodes.node(number).url));
  });

  afterAll(async () => {
    await balancer.stop();
    await nats.kill();
  });

  it('are four nodes with one schema and one first account', async () => {
    expect(await nodes.rows('SELECT id FROM nodes')).toHaveLength(NODES);
    expect(await nodes.rows('SELECT name FROM migrations GROUP BY name HAVING count(*) > 1')).toEqual([]);
    expect(await nodes.rows('SELECT id FROM service_accounts')).toHaveLength(1);
  });

  it('are ready, but for the one whose clock is off', async () => {
    const readiness = async (number: number): Promise<[number, { status: string; clock: string; unheardNodes: string[] }]> => {
      const answer = await fetch(`${nodes.node(number).url}/health/ready`, { headers: { connection: 'close' } });
      return [answer.status, (await answer.json()) as { status: string; clock: string; unheardNodes: string[] }];
    };
    for (let number = 0; number < NODES; number += 1) {
      await eventually('it hears all others', async () => (await readiness(number))[1].unheardNodes.length === 0);
      const [status, body] = await readiness(number);
      expect([status, body.clock]).toEqual(number === WRONG ? [503, 'Wrong'] : [200, 'Right']);
    }
  });

  it('reach each other, also the one whose clock is off', async () => {
    const agents: FakeAgent[] = [];
    const viewers: TestViewer[] = [];
    try {
      for (let number = 0; number < NODES; number += 1) {
        const agent = await FakeAgent.connect(nodes.node(number), await registerKeyedDevice(nodes.client(), nodes.enrolment));
        agents.push(agent.on(agentClient.CreateTerminalSession, () => hubOk()));
        expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
        viewers.push(await TestViewer.connect(nodes.node(number), nodes.headers));
      }
      for (const viewer of viewers) {
        for (const { device } of agents) {
          const request = { deviceId: device.id, terminalId: randomUUID() };
          expect(await viewer.call(viewerHub.CreateTerminalSession2, request)).toMatchObject({ isSuccess: true });
        }
      }
    } finally {
      for (const each of [...agents, ...viewers]) await each.stop();
    }
  });

  it('offer an agent one update with one signature, whichever nodes it asks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'update-'));
    try {
      const { signal } = new AbortController();
      const installed = await offeredBundle(nodes.node(0).url, signal);
      // Each request goes to the next node: what one describes comes from another one.
      for (let round = 0; round < NODES; round += 1) {
        const bundle = await offeredBundle(balancer.url, signal);
        if (bundle === undefined || installed === undefined) throw new Error('No update is offered.');
        requireSignature(bundle, installed.publicKey);
        await downloadBundle(balancer.url, bundle, join(folder, 'bundle'), signal);
        expect(BUNDLE.equals(await readFile(join(folder, 'bundle')))).toBe(true);
        if (round % 2 === 0) await fetch(`${balancer.url}/health`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(!isLong)('stay: none takes another one for gone', async () => {
    const ids = await nodes.rows('SELECT id FROM nodes ORDER BY id');
    const early = 'SELECT FROM nodes WHERE last_seen_at - started_at < make_interval(secs => $1)';
    await eventually('all have reported for long', async () => (await nodes.rows(early, [STAY_SECONDS])).length === 0, STAY_MS);
    expect(await nodes.rows('SELECT id FROM nodes ORDER BY id')).toEqual(ids);
  });
});
