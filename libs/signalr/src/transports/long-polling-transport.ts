import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Frame } from '../protocol/hub-protocol.js';
import { Posts } from './posts.js';
import { type Clock, CLOSE_TIMEOUT_MS, POLLING_STOPPED, type Transport, type TransportListener } from './transport.js';

const NOT_KEPT = { 'Cache-Control': 'no-cache, no-store', Pragma: 'no-cache', Expires: 'Thu, 01 Jan 1970 00:00:00 GMT' };
/** An answer that carries messages, or none. */
const DATA = { ...NOT_KEPT, 'Content-Type': 'application/octet-stream' };
/** The answer that ends a poll for good. */
const NO_MORE = { ...NOT_KEPT, 'Content-Type': 'text/plain' };

export interface LongPollingContext {
  readonly clock: Clock;
  readonly limits: {
    /** The most bytes of one request. */
    readonly maximumPostSize: number;
    /** The longest wait of a poll for messages. Then its answer is empty. */
    readonly pollTimeoutMs: number;
    /** The longest time of the client from one poll to the next. */
    readonly disconnectTimeoutMs: number;
    /** The longest time of the client to read one answer. */
    readonly drainTimeoutMs: number;
    /** The longest time that a process which stands still may keep a message that was sent. */
    readonly longestPauseMs: number;
  };
}

/** `Ending` lasts until the client has fetched the rest. */
const Phase = { Open: 0, Ending: 1, Closed: 2 } as const;
type Phase = (typeof Phase)[keyof typeof Phase];

/** A client that asks again and again: each answer carries the messages of the server since the last one. The client sends by requests. */
export class LongPollingTransport implements Transport {
  readonly name = 'LongPolling';
  readonly hasInherentKeepAlive = true;
  readonly #posts: Posts;
  #listener: TransportListener | undefined;
  #phase: Phase = Phase.Open;
  /** The messages that wait for the next answer, and their size in bytes. */
  #frames: Frame[] = [];
  #waitingBytes = 0;
  /** The poll that waits for messages. */
  #poll: ServerResponse | undefined;
  /** The answer that is leaving, and its size in bytes. */
  #leaving: ServerResponse | undefined;
  #leavingBytes = 0;
  /** The time since which a poll waits, an answer is leaving, or neither is the case. */
  #since: number;
  #isFlushDue = false;
  /** The time since which the oldest message has waited that is about to leave. */
  #oldest = Infinity;
  /**
   * The numbers of bytes written since the connection began, of those that have left, and of those that must have left before a drain is
   * reported.
   */
  #written = 0;
  #left = 0;
  #drainAt: number | undefined;

  /** @param first the response to the request that opens the connection */
  constructor(
    private readonly first: ServerResponse,
    private readonly context: LongPollingContext,
  ) {
    this.#since = context.clock.time;
    const receive = (data: Buffer, waitedMs: number): void => this.#listener?.receive(data, waitedMs);
    this.#posts = new Posts({ receive, brokenOff: (why) => this.#close(why) }, context.limits.maximumPostSize);
  }

  get bufferedAmount(): number {
    return this.#waitingBytes + this.#leavingBytes;
  }

  /** Answers the first poll at once, so that the client knows that it may send. */
  start(listener: TransportListener): void {
    this.#listener = listener;
    answer(this.first, 200, DATA);
  }

  /** Takes a poll. One that waits already is ended. */
  poll(response: ServerResponse): void {
    // Its client has left during the authentication. Messages in its answer would be lost.
    if (response.closed) return;
    if (this.#phase === Phase.Closed) return answer(response, 204, NO_MORE);
    this.#endPoll(204, NO_MORE);
    this.#poll = response;
    this.#since = this.context.clock.time;
    response.once('close', () => this.#pollClosed(response));
    this.#flush();
  }

  /** Takes a request by which the client sends. */
  post(request: IncomingMessage, response: ServerResponse): void {
    this.#posts.add(request, response);
  }

  /** Ends the connection for the client. */
  delete(response: ServerResponse): void {
    answer(response, 202, { 'Content-Type': 'text/plain' });
    this.#close('the client has ended the connection');
  }

  write(frame: Frame, _binary: boolean, since = Infinity): void {
    if (this.#phase !== Phase.Open) return;
    const bytes = typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length;
    this.#frames.push(frame);
    this.#waitingBytes += bytes;
    this.#written += bytes;
    if (this.#poll === undefined) return;
    this.#oldest = Math.min(this.#oldest, since);
    if (this.#isFlushDue) return;
    // All frames of one turn of the event loop leave in one answer.
    this.#isFlushDue = true;
    this.#oldest = Math.min(this.#oldest, performance.now());
    setImmediate(() => {
      this.#isFlushDue = false;
      const waitedMs = performance.now() - this.#oldest;
      this.#oldest = Infinity;
      if (waitedMs > this.context.limits.longestPauseMs) this.terminate();
      else this.#flush();
    });
  }

  requestDrain(): void {
    if (this.bufferedAmount === 0) setImmediate(() => this.#listener?.transportDrained());
    else this.#drainAt = this.#written;
  }

  pause(): void {
    this.#posts.pause();
  }

  resume(): void {
    this.#posts.resume();
  }

  end(): void {
    if (this.#phase !== Phase.Open) return;
    this.#phase = Phase.Ending;
    this.#posts.end();
    this.#flush();
  }

  terminate(): void {
    this.#leaving?.destroy();
    this.#close('the polling was cut off');
  }

  /** Ends a poll that has waited long enough, and the connection of a client that has not polled or read for too long. */
  sweep(): void {
    const { pollTimeoutMs, disconnectTimeoutMs, drainTimeoutMs } = this.context.limits;
    const elapsed = this.context.clock.time - this.#since;
    if (this.#poll !== undefined && this.#leaving === undefined) {
      if (elapsed >= pollTimeoutMs) this.#endPoll(200, DATA);
    } else if (this.#leaving !== undefined) {
      if (elapsed >= drainTimeoutMs) this.terminate();
    } else if (elapsed >= (this.#phase === Phase.Ending ? CLOSE_TIMEOUT_MS : disconnectTimeoutMs)) {
      this.#close(POLLING_STOPPED);
    }
  }

  /** Answers the poll that waits if there are messages or an end. */
  #flush(): void {
    const poll = this.#poll;
    // Two answers under way at once could arrive in the wrong order.
    if (poll === undefined || this.#leaving !== undefined) return;
    if (this.#frames.length > 0) this.#send(poll);
    else if (this.#phase === Phase.Ending) this.#close('the connection has ended');
  }

  #send(poll: ServerResponse): void {
    const frames = this.#frames;
    this.#frames = [];
    this.#leaving = poll;
    this.#leavingBytes = this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#poll = undefined;
    this.#since = this.context.clock.time;
    poll.once('finish', () => this.#sent());
    poll.cork();
    poll.writeHead(200, { ...DATA, 'Content-Length': this.#leavingBytes });
    for (const frame of frames) poll.write(frame);
    poll.uncork();
    poll.end();
  }

  #sent(): void {
    this.#left += this.#leavingBytes;
    this.#leaving = undefined;
    this.#leavingBytes = 0;
    this.#since = this.context.clock.time;
    if (this.#drainAt !== undefined && this.#left >= this.#drainAt) {
      this.#drainAt = undefined;
      this.#listener?.transportDrained();
    }
    this.#flush();
  }

  #pollClosed(response: ServerResponse): void {
    // The messages that it carried are lost.
    if (this.#leaving === response) return this.#close('the client left in the middle of an answer');
    if (this.#poll !== response) return;
    this.#poll = undefined;
    this.#since = this.context.clock.time;
  }

  /** Answers the poll that waits without messages. */
  #endPoll(status: 200 | 204, headers: Readonly<Record<string, string>>): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    this.#poll = undefined;
    this.#since = this.context.clock.time;
    answer(poll, status, headers);
  }

  #close(reason: string): void {
    if (this.#phase === Phase.Closed) return;
    this.#phase = Phase.Closed;
    this.#frames = [];
    this.#waitingBytes = 0;
    this.#posts.end();
    this.#endPoll(204, NO_MORE);
    this.#listener?.transportClosed(reason);
  }
}

function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, status === 204 ? headers : { ...headers, 'Content-Length': 0 });
  response.end();
}
