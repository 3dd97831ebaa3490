import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { serveCalls } from '../harness/serve-calls.js';
import { steadily } from '../harness/steadily.js';

/*
 * HTTP clients that read and write at a steady rate until they are told to stop, and note what fails.
 */

interface SteadyTarget {
  readonly url: string;
  /** Path of the reading requests. */
  readonly path: string;
  /** Path at which things with a name are created. */
  readonly writePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
}

/** A request that failed. */
export interface Failure {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
}

export interface SteadyResult {
  readonly sent: number;
  /** Requests that were answered with a status from 500 on, or not at all. */
  readonly failures: readonly Failure[];
  /** Names of the things whose creation was acknowledged. */
  readonly acknowledged: readonly string[];
}

/** Every tenth request writes. */
const WRITES = 10;
const CREATED = 201;

const agent = new Agent({ keepAlive: true });
let isOver = false;
let running: Promise<SteadyResult> | undefined;

const calls = {
  start(target: SteadyTarget): void {
    isOver = false;
    running = run(target);
  },

  /** Stops, and returns all results when the last request has ended. */
  async stop(): Promise<SteadyResult> {
    if (running === undefined) throw new Error('Nothing was started.');
    isOver = true;
    return running;
  },
};

export type SteadyCalls = typeof calls;
serveCalls(calls);

async function run({ url, path, writePath, headers, perSecond }: SteadyTarget): Promise<SteadyResult> {
  const failures: Failure[] = [];
  const acknowledged: string[] = [];
  const sent: Promise<void>[] = [];
  const send = async (number: number): Promise<void> => {
    const name = number % WRITES === 0 ? randomUUID() : undefined;
    const what = name === undefined ? 'GET' : 'POST';
    const fail = (reason: string): void => void failures.push({ at: Date.now(), reason: `${what}: ${reason}` });
    try {
      const status = name === undefined ? await exchange('GET', url + path, headers) : await create(url + writePath, headers, name);
      if (status >= 500) fail(`status ${status}`);
      if (name !== undefined && status === CREATED) acknowledged.push(name);
      else if (status >= 300 && status < 500) fail(`status ${status}`);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  };
  for await (const due of steadily(perSecond, Number.MAX_SAFE_INTEGER)) {
    if (isOver || Number.isNaN(due)) break;
    sent.push(send(sent.length));
  }
  await Promise.all(sent);
  return { sent: sent.length, failures, acknowledged };
}

function create(url: string, headers: Readonly<Record<string, string>>, name: string): Promise<number> {
  return exchange('POST', url, { ...headers, 'content-type': 'application/json' }, JSON.stringify({ name }));
}

async function exchange(method: string, url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<number> {
  const length: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const asked = request(url, { method, agent, headers: { ...headers, ...length } });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await text(answer);
  return answer.statusCode ?? 0;
}
