import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { messageOf } from '../../../platform/common/errors/errors.js';
import type { NatsFacts, UnusableNats } from '../../../system/doctor/checks/nodes.js';
import { MAXIMUM_MESSAGE_BYTES, SUBJECTS } from '../line/carrier.js';
import { isUnknownKey, type Msg, type NatsConnection, type NatsOptions, refusedSubject, visitNats } from '../line/nats-connection.js';
import { readHere } from '../line/signals.js';
import { natsCertificate } from './nats-certificate.js';

/** Time for which the doctor listens, in milliseconds: nodes say once a second that they are there. */
const LISTEN_MS = 2_500;
/** Interval of the doctor's own messages: a cluster learns late of a new listener. */
const SAY_INTERVAL_MS = 250;
const PROBE = `${SUBJECTS.all.slice(0, -1)}probe`;
/** A subject beside those of the nodes. */
const BESIDE = 'probe.beside.the.nodes';
/** Most nodes that are heard: more than a real installation has. */
const MAXIMUM_HEARD = 512;

/** The answers of the servers of NATS, and the nodes that were heard there. */
export interface NatsFound {
  readonly servers: readonly (NatsFacts | UnusableNats)[];
  readonly heardNodes: ReadonlySet<string>;
}

/** A server that lets the doctor in. */
interface Visited {
  readonly address: string;
  readonly connection: NatsConnection;
  readonly heard: Set<string>;
  readonly isWide: boolean;
}

/** Signs in to every server of NATS with the key of the nodes, and listens there. */
export async function probeNats(options: NatsOptions): Promise<NatsFound> {
  const mark = randomBytes(16).toString('hex');
  const heardNodes = new Set<string>();
  const visits = await Promise.all(options.servers.map((address) => visit(options, address, mark, heardNodes)));
  const visited = visits.filter((result) => 'connection' in result);
  try {
    await listen(visited, mark);
    const servers = await Promise.all(visits.map(async (result) => ('connection' in result ? factsOf(options, result) : result)));
    return { servers, heardNodes };
  } finally {
    await Promise.all(visited.map(({ connection }) => connection.close()));
  }
}

async function visit(options: NatsOptions, address: string, mark: string, heardNodes: Set<string>): Promise<Visited | UnusableNats> {
  let connection: NatsConnection;
  try {
    connection = await visitNats(options, address);
  } catch (error) {
    return { address, problem: isUnknownKey(error) ? 'refused' : 'unreachable', reason: messageOf(error) };
  }
  try {
    const heard = new Set<string>();
    const hear = (message: Msg): void => {
      const sayer = message.subject === PROBE ? sayerOf(message, mark) : undefined;
      if (sayer !== undefined) heard.add(sayer);
      else if (message.subject === SUBJECTS.here && heardNodes.size < MAXIMUM_HEARD) noteNode(message, heardNodes);
    };
    const [refusal, besides] = await subscribe(connection, hear);
    const takes = connection.info?.max_payload ?? 0;
    const problem =
      refusal !== null
        ? ({ address, problem: 'refused', reason: refusedSubject(refusal) ?? messageOf(refusal) } as const)
        : takes < MAXIMUM_MESSAGE_BYTES
          ? ({ address, problem: 'limits', reason: `it takes messages of ${takes} bytes.` } as const)
          : null;
    if (problem === null) return { address, connection, heard, isWide: besides === null };
    await connection.close();
    return problem;
  } catch (error) {
    await connection.close();
    return { address, problem: 'unreachable', reason: messageOf(error) };
  }
}

/** Subscribes to what nodes hear, and to a subject beside. Returns what NATS refuses of both. */
async function subscribe(connection: NatsConnection, hear: (message: Msg) => void): Promise<readonly [Error | null, Error | null]> {
  let own: Error | null = null;
  let beside: Error | null = null;
  connection.subscribe(SUBJECTS.all, { callback: (error, message) => (error === null ? hear(message) : void (own = error)) });
  connection.subscribe(BESIDE, { callback: (error) => void (beside = error) });
  // What the server refuses comes before its answer to this.
  await connection.flush();
  return [own, beside];
}

/** Sends messages by each server until the time is over. */
async function listen(visited: readonly Visited[], mark: string): Promise<void> {
  if (visited.length === 0) return;
  const ends = performance.now() + LISTEN_MS;
  while (performance.now() < ends) {
    for (const { address, connection } of visited) if (!connection.isClosed()) connection.publish(PROBE, `${mark} ${address}`);
    await delay(SAY_INTERVAL_MS);
  }
}

async function factsOf(options: NatsOptions, { address, connection, heard, isWide }: Visited): Promise<NatsFacts | UnusableNats> {
  try {
    const roundTripMs = await roundTrip(connection);
    const certificate = await natsCertificate(address, options.ca);
    return { address, problem: null, version: connection.info?.version ?? '', roundTripMs, hears: [...heard], isWide, certificate };
  } catch (error) {
    return { address, problem: 'unreachable', reason: messageOf(error) };
  }
}

/** The shortest of three messages to NATS and back, in milliseconds. */
async function roundTrip(connection: NatsConnection): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) times.push(await connection.rtt());
  return Math.min(...times);
}

/** The address of the server by which this examination sent a message; undefined for the message of another one. */
function sayerOf(message: Msg, mark: string): string | undefined {
  const [given, address] = message.string().split(' ', 2);
  return given === mark ? address : undefined;
}

function noteNode({ data }: Msg, heardNodes: Set<string>): void {
  const here = readHere(data);
  if (here !== null) heardNodes.add(here.nodeId);
}
