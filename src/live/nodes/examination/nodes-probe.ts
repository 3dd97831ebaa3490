import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

import type { EntityManager } from 'typeorm';

import type { Clock } from '../../../platform/common/runtime/clock.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import { MAXIMUM_NODES } from '../../../platform/node/maximum-nodes.js';
import type { NodeFacts } from '../../../system/doctor/checks/nodes.js';
import type { NodesProbe } from '../../../system/doctor/nodes-probe.js';
import { natsOptionsOf } from '../line/nats-connection.js';
import { accountOf, isInternalPort } from './node-accounts.js';
import { probeNats } from './nats-probe.js';

const NAME = 'device-management doctor';
/** Age at which a node must be heard, in milliseconds. */
const SETTLED_MS = 5_000;
const PUBLISHED_TIMEOUT_MS = 3_000;

const LISTED = `
  SELECT id, version AS release, address, started_at < now() - $1 * interval '1 millisecond' AS "isSettled"
  FROM nodes ORDER BY started_at, id LIMIT ${MAXIMUM_NODES}`;
const CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time';

type Listed = Pick<NodeFacts, 'id' | 'release' | 'address' | 'isSettled'>;

/** Looks at NATS, and at each node of the database's list, from this machine. */
export const probeNodes: NodesProbe = async ({ settings, manager, clock }) => {
  const listed = await readRows<Listed>(manager, LISTED, [SETTLED_MS]);
  const aheadMs = await clockAhead(manager, clock);
  const databaseTime = (): number => clock.milliseconds() - aheadMs;
  const [{ servers, heardNodes }, answers, published] = await Promise.all([
    probeNats(natsOptionsOf(settings, NAME)),
    Promise.all(listed.map(({ address }) => answerAt(address, settings.nodes.secret, databaseTime))),
    publishedPort(settings.appOptions.publicUrl, listed),
  ]);
  const nodes = listed.map((node, at): NodeFacts => ({ ...node, isHeard: heardNodes.has(node.id), answer: answers[at] ?? UNSAID }));
  return { servers, nodes, published };
};

const UNSAID = { problem: 'unreachable', reason: 'it has not said an address.' } as const;

async function answerAt(address: string | null, secrets: readonly string[], databaseTime: () => number): Promise<NodeFacts['answer']> {
  return address === null ? UNSAID : accountOf(address, secrets, databaseTime);
}

/** Milliseconds by which this machine's clock is ahead of that of the database. */
async function clockAhead(manager: EntityManager, clock: Clock): Promise<number> {
  const [row] = await readRows<{ readonly time: number }>(manager, CLOCK, []);
  return clock.milliseconds() - (row?.time ?? clock.milliseconds());
}

/** The public address at which an internal port answers; null for none. On a machine that has this address itself, nothing can be told. */
async function publishedPort(publicUrl: string, nodes: readonly Listed[]): Promise<string | null> {
  if (publicUrl === '') return null;
  const { hostname } = new URL(publicUrl);
  if (await isOwnAddress(hostname.replaceAll(/^\[|\]$/g, ''))) return null;
  const ports = new Set(nodes.flatMap(({ address }) => address?.slice(address.lastIndexOf(':') + 1) ?? []));
  for (const port of ports) {
    const url = new URL(`http://${hostname}:${port}/`);
    if (await isInternalPort(url, PUBLISHED_TIMEOUT_MS)) return url.host;
  }
  return null;
}

async function isOwnAddress(host: string): Promise<boolean> {
  const own = new Set(Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)));
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => own.has(address));
}
