import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { discardRest } from '../../../devices/file-system/discard-rest.js';
import { UnorderedList } from '../../../platform/common/collections/unordered-list.js';
import { hasCode } from '../../../platform/common/errors/system-error.js';
import { edgeOf } from '../../../platform/http/addresses/edge.js';
import { ServiceLine } from '../service-line.js';
import { type NodeAddress, NodeAddresses } from './node-addresses.js';
import { failureOf, NodeRequests, type Passed } from './node-requests.js';
import { arrivedBytes, endWith, hasArrived, hasBody, limitStandstill, MISDIRECTED, passedHeaders, writeHead } from './passed-messages.js';
import { PassingLimits } from './passing-limits.js';
import { ShortAnswer } from './short-answer.js';

/** Interval at which nodes are looked for that are not heard any more, in milliseconds. */
const WATCH_MS = 1_000;

/** The body of a request that is passed on. */
export type PassedBody =
  /** The bytes, which were read here already. */
  | Buffer
  /** Read from the client while the other node takes it. */
  | 'streamed'
  /** The same, once the other node has asked for it. */
  | 'asked for';

/** Kinds of requests, each with a limit of its own: those about devices, and those of hub connections. */
type PassedKind = 'forwarded' | 'ofConnections';

/** Methods of requests that have a body, if only an empty one: without a length, Node.js would send it in chunks. */
const WITH_LENGTH: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** A request under way to another node. */
interface UnderWay {
  readonly nodeId: string;
  readonly giveUp: (reason: string) => void;
}

/** Lets other nodes answer requests that clients have sent to this one. A request that was passed on once is never passed on again. */
@Injectable()
export class Forwarding implements OnApplicationShutdown {
  private readonly counter = metrics.getMeter('nodes').createCounter('nodes.forwarded', {
    unit: '{request}',
    description: 'Requests that were passed on to another node, by outcome.',
  });
  /** Requests that no node has begun to answer yet. */
  private readonly waiting = new UnorderedList<UnderWay>();
  private readonly counts: Record<PassedKind, number> = { forwarded: 0, ofConnections: 0 };
  private watch: NodeJS.Timeout | null = null;

  constructor(
    private readonly requests: NodeRequests,
    private readonly addresses: NodeAddresses,
    private readonly line: ServiceLine,
    private readonly limits: PassingLimits,
  ) {}

  onApplicationShutdown(): void {
    if (this.watch !== null) clearInterval(this.watch);
  }

  /**
   * Lets a node answer a request. Settles as soon as its answer has begun; until then nothing is written to the response. A client that
   * leaves counts as answered.
   */
  async forward(
    request: IncomingMessage,
    response: ServerResponse,
    nodeId: string,
    body: PassedBody,
    kind: PassedKind = 'forwarded',
  ): Promise<Passed> {
    const passed = await this.tryForward(request, response, nodeId, body, kind);
    this.counter.add(1, { outcome: passed });
    return passed;
  }

  private async tryForward(
    request: IncomingMessage,
    response: ServerResponse,
    nodeId: string,
    body: PassedBody,
    kind: PassedKind,
  ): Promise<Passed> {
    const { counts } = this;
    if (edgeOf(request) !== undefined) return 'misdirected';
    if (counts[kind] >= this.limits[kind]) return 'busy';
    if (!this.line.reaches(nodeId)) return 'unreachable';
    counts[kind] += 1;
    try {
      const address = await this.addresses.find(nodeId);
      if (address === null) return 'gone';
      if (response.closed) return 'answered';
      const passed = await (kind === 'ofConnections' && isWhole(request)
        ? this.exchangeShort(request, response, nodeId, address)
        : this.exchange(request, response, nodeId, address, body));
      if (passed === 'unreachable' || passed === 'gone') this.addresses.forget(nodeId);
      return passed;
    } finally {
      if (response.headersSent && !response.closed) response.once('close', () => (counts[kind] -= 1));
      else counts[kind] -= 1;
    }
  }

  private exchange(
    request: IncomingMessage,
    response: ServerResponse,
    nodeId: string,
    address: NodeAddress,
    body: PassedBody,
  ): Promise<Passed> {
    const outgoing = this.requests.request(this.requests.provedOf(request), address, headersFor(request, body));
    const stopWaiting = this.waiting.add({ nodeId, giveUp: (reason) => outgoing.destroy(new Error(reason)) });
    this.watchNodes();

    return new Promise((resolve) => {
      // The other node sees that the client has left.
      const leave = (): void => void outgoing.destroy();
      response.once('close', leave);
      const settle = (passed: Passed): void => {
        stopWaiting();
        if (passed !== 'answered') response.off('close', leave);
        resolve(passed);
      };
      outgoing.on('error', (error) => {
        // The other node cut the connection. That is its answer, as it would be on one node.
        if (hasCode(error, 'ECONNRESET') && !response.headersSent) response.destroy();
        settle(response.destroyed || response.closed ? 'answered' : failureOf(error));
      });
      outgoing.once('response', (answer) => {
        if (answer.statusCode === MISDIRECTED) {
          answer.resume();
          return settle('misdirected');
        }
        answerAs(answer, response, this.limits.standstillMs);
        settle('answered');
      });
      if (Buffer.isBuffer(body)) return endWith(outgoing, body);
      if (!hasBody(request)) return void outgoing.end();
      if (body === 'streamed' && hasArrived(request)) {
        endWith(outgoing, arrivedBytes(request));
        // Its end is still to be read.
        return void request.resume();
      }
      outgoing.once('close', () => {
        request.unpipe(outgoing);
        // A client reads a refusal only after it could send everything.
        if (response.headersSent) discardRest(request);
      });
      if (body === 'streamed') return void request.pipe(outgoing);
      outgoing.once('continue', () => request.pipe(outgoing));
      outgoing.flushHeaders();
    });
  }

  /** Passes on a message of a hub connection, whose body has arrived. */
  private exchangeShort(request: IncomingMessage, response: ServerResponse, nodeId: string, address: NodeAddress): Promise<Passed> {
    const body = hasBody(request) ? arrivedBytes(request) : null;
    // Its end is still to be read.
    if (body !== null) request.resume();
    return new Promise((resolve) => {
      const settle = (passed: Passed): void => {
        stopWaiting();
        resolve(passed);
      };
      const connection = this.requests.take(address);
      const giveBack = (mayBeUsed: boolean): void => this.requests.giveBack(connection, mayBeUsed);
      const answer = new ShortAnswer(response, this.limits.standstillMs, settle, giveBack);
      const stopWaiting = this.waiting.add({ nodeId, giveUp: (reason) => answer.giveUp(reason) });
      this.watchNodes();
      this.requests.send(connection, this.requests.provedOf(request), headersFor(request, 'streamed'), body, answer);
    });
  }

  /** Gives up requests to nodes that are not heard any more, as long as these have not begun to answer. */
  private watchNodes(): void {
    this.watch ??= setInterval(() => {
      for (const { nodeId, giveUp } of this.waiting.values()) {
        if (!this.line.reaches(nodeId)) giveUp('The node is not heard any more.');
      }
      if (this.waiting.size > 0 || this.watch === null) return;
      clearInterval(this.watch);
      this.watch = null;
    }, WATCH_MS).unref();
  }
}

/** The headers as one list, which Node.js writes as it is: with an object it takes a third longer for a short request. */
function headersFor({ method = '', headers, rawHeaders }: IncomingMessage, body: PassedBody): string[] {
  const passed = passedHeaders(rawHeaders, Buffer.isBuffer(body) ? 'content-length' : undefined);
  if (Buffer.isBuffer(body)) return [...passed, 'Content-Length', String(body.length)];
  if (headers['transfer-encoding'] !== undefined) passed.push('Transfer-Encoding', 'chunked');
  else if (headers['content-length'] === undefined && WITH_LENGTH.has(method)) passed.push('Content-Length', '0');
  if (body === 'asked for') passed.push('Expect', '100-continue');
  return passed;
}

function answerAs(answer: IncomingMessage, response: ServerResponse, standstillMs: number): void {
  writeHead(response, answer.statusCode ?? 502, answer.statusMessage, answer.headers);
  // An answer that breaks off cuts the connection, so that it never looks complete.
  answer.on('error', () => response.destroy());
  // By then the bytes are there that have arrived with the head: both leave in one piece.
  process.nextTick(() => {
    const bytes = arrivedBytes(answer);
    if (answer.complete) {
      endWith(response, bytes);
      if (response.writableLength === 0) return;
    } else {
      if (bytes === null) response.flushHeaders();
      else response.write(bytes);
      answer.pipe(response);
    }
    limitStandstill(response, standstillMs);
  });
}

/** True for a request without a body, or whose body has arrived. */
function isWhole(request: IncomingMessage): boolean {
  return !hasBody(request) || hasArrived(request);
}
