import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { discardRest } from '../../../devices/file-system/discard-rest.js';
import { UnorderedList } from '../../../platform/common/collections/unordered-list.js';
import { hasCode } from '../../../platform/common/errors/system-error.js';
import { edgeOf } from '../../../platform/http/addresses/edge.js';
import { ServiceLine } from '../service-line.js';
import { type NodeAddress, NodeAddresses } from './node-addresses.js';
import { isNodeHeader } from './node-proof.js';
import { failureOf, NodeRequests, type Passed } from './node-requests.js';
import { PassingLimits } from './passing-limits.js';

/** Status by which a node says that it is not the home of what the request is about. It has not read the body then. */
export const MISDIRECTED = 421;

/** Interval at which nodes are looked for that are not heard any more, in milliseconds. */
const WATCH_MS = 1_000;

/** Most bytes of a body that are copied, so that one write takes them and the head. */
const COPIED_BYTES = 16_384;

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

/** Headers that are about one connection, in lower case. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Methods of requests that have a body, if only an empty one: without a length, Node.js would send it in chunks. */
const WITH_LENGTH: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** A request under way to another node. */
interface UnderWay {
  readonly nodeId: string;
  readonly outgoing: ClientRequest;
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
      const passed = await this.exchange(request, response, nodeId, address, body);
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
    const begun = this.waiting.add({ nodeId, outgoing });
    this.watchNodes();

    return new Promise((resolve) => {
      // The other node sees that the client has left.
      const leave = (): void => void outgoing.destroy();
      response.once('close', leave);
      const settle = (passed: Passed): void => {
        begun();
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
        endWith(outgoing, bytesOf(request));
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

  /** Gives up requests to nodes that are not heard any more, as long as these have not begun to answer. */
  private watchNodes(): void {
    this.watch ??= setInterval(() => {
      for (const { nodeId, outgoing } of this.waiting.values()) {
        if (!this.line.reaches(nodeId)) outgoing.destroy(new Error('The node is not heard any more.'));
      }
      if (this.waiting.size > 0 || this.watch === null) return;
      clearInterval(this.watch);
      this.watch = null;
    }, WATCH_MS).unref();
  }
}

/** The headers as one list, which Node.js writes as it is: with an object it takes a third longer for a short request. */
function headersFor({ method = '', headers, rawHeaders }: IncomingMessage, body: PassedBody): string[] {
  const passed = passedOf(rawHeaders, Buffer.isBuffer(body) ? 'content-length' : undefined);
  if (Buffer.isBuffer(body)) return [...passed, 'Content-Length', String(body.length)];
  if (headers['transfer-encoding'] !== undefined) passed.push('Transfer-Encoding', 'chunked');
  else if (headers['content-length'] === undefined && WITH_LENGTH.has(method)) passed.push('Content-Length', '0');
  if (body === 'asked for') passed.push('Expect', '100-continue');
  return passed;
}

function answerAs(answer: IncomingMessage, response: ServerResponse, standstillMs: number): void {
  copyHeaders(answer.rawHeaders, response);
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage);
  // An answer that breaks off cuts the connection, so that it never looks complete.
  answer.on('error', () => response.destroy());
  // By then the bytes are there that have arrived with the head: both leave in one piece.
  process.nextTick(() => {
    const bytes = bytesOf(answer);
    if (answer.complete) {
      endWith(response, bytes);
      if (response.writableLength === 0) return;
    } else {
      if (bytes === null) response.flushHeaders();
      else response.write(bytes);
      answer.pipe(response);
    }
    response.setTimeout(standstillMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  });
}

/** True if the whole body of a request is there. Its length tells before the parser does, which looks for the end in its next step. */
function hasArrived({ readableLength, headers }: IncomingMessage): boolean {
  return readableLength === Number(headers['content-length']);
}

/** The bytes of a body that have arrived; null for none. */
function bytesOf(message: IncomingMessage): Buffer | null {
  return message.read() as Buffer | null;
}

/** Ends a message. A short body joins its head: as a text of as many characters, because Node.js writes texts in one piece. */
function endWith(message: OutgoingMessage, body: Buffer | null): void {
  if (body === null) message.end();
  else if (body.length > COPIED_BYTES) message.end(body);
  else message.end(body.toString('latin1'), 'latin1');
}

/**
 * Sets the headers of an answer. Most are set already, with the same value, as every node sets them: `writeHead` with a list would remove
 * and set them again.
 */
function copyHeaders(rawHeaders: readonly string[], response: ServerResponse): void {
  const set = new Set<string>();
  const passed = passedOf(rawHeaders);
  for (let at = 0; at < passed.length; at += 2) {
    const [rawName, value] = [passed[at], passed[at + 1]];
    const name = rawName.toLowerCase();
    if (set.has(name)) response.appendHeader(rawName, value);
    else if (response.getHeader(name) !== value) response.setHeader(rawName, value);
    set.add(name);
  }
}

/** True for a request with a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Names and values of headers as they came, without those of one connection, those of nodes and one more. */
function passedOf(rawHeaders: readonly string[], leftOut?: string): string[] {
  const passed: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase();
    if (OF_CONNECTION.has(name) || isNodeHeader(name) || name === leftOut) continue;
    passed.push(rawHeaders[at], rawHeaders[at + 1]);
  }
  return passed;
}
