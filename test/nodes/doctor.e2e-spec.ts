import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createUser } from '@nats-io/nkeys';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { plainEnvironment } from '../../demo/service.js';
import { probeNodes } from '../../src/live/nodes/examination/nodes-probe.js';
import { Settings } from '../../src/platform/config/settings.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import { nodesFindings } from '../../src/system/doctor/checks/nodes.js';
import type { ServerHealthResponseDto } from '../../src/system/doctor/doctor.dto.js';
import type { DoctorReport } from '../../src/system/doctor/examination.js';
import { Area, type Finding } from '../../src/system/doctor/finding.js';
import type { ServerNodesResponseDto } from '../../src/system/server/server-nodes.dto.js';
import { ROOT_KEY, TestApp } from '../support/application/app.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onDatabase, portToKeep } from '../support/processes/service-process.js';
import { NatsServer, noNats } from './support/nats-server.js';
import { nodeOptions } from './support/node-options.js';

/* The doctor and the page of the server, with several nodes and with faults between them. */

const SHIPPED = fileURLToPath(new URL('../../deploy/nats/nats-server.conf', import.meta.url));
const LONG = 300_000;

describe.skipIf(noNats !== undefined)('the health of several nodes', () => {
  const key = createUser();
  const nodes: TestApp[] = [];
  let nats: NatsServer;
  let other: NatsServer;

  const started = async (): Promise<NatsServer> =>
    NatsServer.start(['-c', SHIPPED, '-m', String(await portToKeep())], { NATS_NAME: 'nats', NATS_NKEY: key.getPublicKey() });

  /** The options of a node at a server of NATS. */
  function optionsAt(server: NatsServer): Record<string, string> {
    const { Service_Nodes__NatsUser: _user, Service_Nodes__NatsPassword: _password, ...options } = nodeOptions(server);
    return { ...options, Service_Nodes__NatsSeed: new TextDecoder().decode(key.getSeed()) };
  }

  /** Starts another node on the database of the first. */
  async function startBeside(changes: Record<string, string> = {}): Promise<TestApp> {
    const node = new TestApp({ ...optionsAt(nats), ...changes }, undefined, { database: nodes[0].database });
    await node.start();
    nodes.push(node);
    return node;
  }

  beforeAll(async () => {
    [nats, other] = await Promise.all([started(), started()]);
    nodes.push(await TestApp.start(optionsAt(nats)));
    await startBeside();
  }, LONG);

  afterEach(async () => {
    for (const node of nodes.splice(2)) await node.app.close();
  });

  afterAll(async () => {
    const [first, second] = nodes;
    await second?.app.close();
    await first?.stop();
    await Promise.all([nats.kill(), other.kill()]);
  });

  const idOf = (node: TestApp): string => node.app.get(ServerNode, { strict: false }).id;

  /** The findings of the first node about nodes now: its reports are answered again for some seconds. */
  async function findings(): Promise<readonly Pick<Finding, 'kind' | 'what'>[]> {
    const [{ app, dataSource, clock }] = nodes;
    const facts = await probeNodes({ settings: app.get(Settings, { strict: false }), manager: dataSource.manager, clock });
    return nodesFindings(facts, clock.milliseconds()).map(({ kind, what }) => ({ kind, what }));
  }

  const faults = async (): Promise<readonly string[]> => (await findings()).flatMap(({ kind }) => kind ?? []);

  it('is good where all nodes hear each other', async () => {
    const { body } = await nodes[0].client().post('/account/server-health');
    const { report } = body as ServerHealthResponseDto;
    const found = (report?.findings ?? []).filter(({ area }) => area === Area.Nodes).map(({ kind, what }) => ({ kind, what }));
    expect(found).toEqual([
      { kind: null, what: expect.stringMatching(/^NATS 2\.[\d.]+ at nats:\/\/127\.0\.0\.1:\d+ answers in \d+\.\d ms\.$/) as string },
      { kind: null, what: '2 nodes are reached and heard.' },
    ]);
  });

  it('shows the nodes and NATS as the asked node sees them', async () => {
    const list = async (): Promise<ServerNodesResponseDto> =>
      (await nodes[0].client().get('/account/server-nodes')).body as ServerNodesResponseDto;
    await eventually('the second node is heard', async () => (await list()).nodes.every(({ heardAt }) => heardAt !== null));
    const { nodes: listed, nats: standing } = await list();
    expect(listed.map(({ id, isThis, state }) => [id, isThis, state])).toEqual([
      [idOf(nodes[0]), true, 'Running'],
      [idOf(nodes[1]), false, 'Running'],
    ]);
    const addresses = await Promise.all(nodes.map((node) => node.app.get(ServerNode, { strict: false }).addressOf(idOf(node))));
    expect(listed.map(({ address }) => address)).toEqual(addresses);
    expect(standing).toMatchObject({ server: `127.0.0.1:${nats.port}`, cluster: null, release: expect.stringMatching(/^2\./) as string });
  });

  it('names a node with another secret, and the options that differ', async () => {
    const strange = await startBeside({ Service_Nodes__Secret: 'another-secret-of-32-characters-and-more' });
    expect(await findings()).toContainEqual({
      kind: 'node-secret',
      what: expect.stringContaining(`The node ${idOf(strange)} `) as string,
    });
    await strange.app.close();
    nodes.pop();
    await startBeside({ Service_AppOptions__RequireUserEmailConfirmation: 'true' });
    expect(await findings()).toContainEqual({
      kind: 'node-options',
      what: 'The nodes have different values of AppOptions:RequireUserEmailConfirmation.',
    });
  });

  it('names a node that is on another NATS once it has had the time to be heard', async () => {
    const lost = await startBeside({ Service_Nodes__Nats: other.url });
    await eventually('the node is settled and not heard', async () => (await findings()).some(({ what }) => what.includes(idOf(lost))));
    expect(await faults()).toEqual(['node-unheard']);
  });

  it(
    'names servers of NATS that are no cluster, and one that is away, by the command beside the service',
    async () => {
      const project = await builtProject();
      const servers = `${nats.url},${other.url},nats://127.0.0.1:${await portToKeep()}`;
      const env = { ...plainEnvironment(), ...onDatabase(nodes[0].database), ...optionsAt(nats), Service_Nodes__Nats: servers };
      const report = await new Promise<DoctorReport>((resolve) => {
        execFile(process.execPath, [join(project, 'dist/service/doctor.js'), '--json', '--silence', '0'], { env }, (_error, output) =>
          resolve(JSON.parse(output) as DoctorReport),
        );
      });
      const kinds = report.findings.filter(({ area }) => area === Area.Nodes).flatMap(({ kind }) => kind ?? []);
      expect(kinds).toEqual(['nats-server-unreachable', 'nats-divided', 'nats-divided']);
    },
    LONG,
  );

  it('tells nobody without a proof what a node has', async () => {
    const address = await nodes[0].app.get(ServerNode, { strict: false }).addressOf(idOf(nodes[1]));
    const refused = await fetch(`http://${address}/nodes/account`, { headers: { 'x-api-key': ROOT_KEY } });
    expect([refused.status, (await fetch(`${nodes[0].url}/nodes/account`, { headers: { 'x-api-key': ROOT_KEY } })).status]).toEqual([
      403, 404,
    ]);
  });
});
