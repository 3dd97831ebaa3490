import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { AttackCount } from '../attacks/attack.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * HTTP requests of an attacker who wants to disturb: as many as possible under way, or without waiting for answers.
 */

export interface AttackRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string;
}

interface Flood {
  readonly url: string;
  /** Sent in turns. */
  readonly requests: readonly AttackRequest[];
  /** Number of requests under way at any time. */
  readonly lanes: number;
}

interface Offer {
  readonly url: string;
  /** Sent in turns. */
  readonly requests: readonly AttackRequest[];
  /** Requests sent in a second. */
  readonly rate: number;
}

interface Pipeline {
  readonly url: string;
  readonly path: string;
  /** Bytes of requests that each connection sends at once. */
  readonly bytes: number;
  readonly connections: number;
}

/** Pause of an attacker after the server has ended its connection, in milliseconds. */
const RECONNECT_MS = 10;
const BUSY = 503;

let ending = new AbortController();
let running: Promise<unknown> = Promise.resolve();
let count = { answered: 0, refused: 0, failed: 0 };

const calls = {
  /** Begins to send requests over and over, each lane the next one as soon as the last one was answered. */
  flood({ url, requests, lanes }: Flood): void {
    const agent = new Agent({ keepAlive: true, maxSockets: lanes });
    let next = 0;
    const lane = async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        next += 1;
        await send(url, requests[next % requests.length], agent);
      }
    };
    void begin(lanes, lane).finally(() => agent.destroy());
  },

  /**
   * Begins to send so many requests a second, in turns, without waiting for the ones before. Success counts as an answer, 503 with a time
   * to wait as a refusal, and everything else as a failure.
   */
  offer({ url, requests, rate }: Offer): void {
    const agent = new Agent({ keepAlive: true });
    void begin(1, async (signal) => {
      const started = performance.now();
      const sent: Promise<void>[] = [];
      while (!signal.aborted) {
        const due = started + (sent.length * 1000) / rate;
        if (due > performance.now()) await delay(due - performance.now());
        sent.push(send(url, requests[sent.length % requests.length], agent, isSuccess));
      }
      await Promise.all(sent);
    }).finally(() => agent.destroy());
  },

  /** Begins to send GET requests without waiting for their answers, again when all of them were answered or cut off. */
  pipeline({ url, path, bytes, connections }: Pipeline): void {
    const { host, hostname, port } = new URL(url);
    const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const requests = Math.floor(bytes / one.length);
    const flood = Buffer.from(one.repeat(requests));
    void begin(connections, async (signal) => {
      while (!signal.aborted) await sendAll(Number(port), hostname, flood, requests, signal);
    });
  },

  /** Ends the attack. Returns the outcomes of its requests. */
  async stop(): Promise<AttackCount> {
    ending.abort();
    await running;
    return count;
  },
};

export type HttpAttackCalls = typeof calls;
serveCalls(calls);

function begin(lanes: number, lane: (signal: AbortSignal) => Promise<void>): Promise<unknown> {
  ending = new AbortController();
  count = { answered: 0, refused: 0, failed: 0 };
  running = Promise.all(Array.from({ length: lanes }, () => lane(ending.signal)));
  return running;
}

const isAnything = (): boolean => true;
const isSuccess = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode === BUSY ? headers['retry-after'] !== undefined : statusCode < 300;

/** Sends a request and counts its response, as a failure unless it is one of those expected. */
function send(
  url: string,
  { method, path, headers = {}, body }: AttackRequest,
  agent: Agent,
  isExpected: (response: IncomingMessage) => boolean = isAnything,
): Promise<void> {
  return new Promise((resolve) => {
    const asked = request(new URL(path, url), {
      agent,
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    });
    asked.once('response', (response: IncomingMessage) => {
      if (!isExpected(response)) count.failed += 1;
      else if (response.statusCode === BUSY) count.refused += 1;
      else count.answered += 1;
      response.resume().once('close', resolve);
    });
    asked.once('error', () => {
      count.failed += 1;
      void delay(RECONNECT_MS).then(resolve);
    });
    asked.end(body);
  });
}

function sendAll(port: number, hostname: string, flood: Buffer, requests: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname);
    let missing = requests;
    socket.on('data', (data: Buffer) => {
      const answers = data.toString('latin1').split('HTTP/1.1 ').length - 1;
      count.answered += answers;
      missing -= answers;
      if (missing <= 0 || signal.aborted) socket.destroy();
    });
    socket.on('error', () => (count.failed += 1));
    socket.once('close', () => void delay(RECONNECT_MS).then(resolve));
    socket.write(flood);
  });
}
