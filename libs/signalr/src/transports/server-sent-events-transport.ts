import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Frame } from '../protocol/hub-protocol.js';
import { Posts } from './posts.js';
import { type Clock, CLOSE_TIMEOUT_MS, type Transport, type TransportListener } from './transport.js';

/** Headers that keep proxies and browsers from holding events back. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-store',
  Pragma: 'no-cache',
  'Content-Encoding': 'identity',
  'X-Accel-Buffering': 'no',
};

/** A comment. Some browsers report the stream as open only when they have received something. */
const GREETING = ':\r\n';
const LINE_BREAK = /\r\n|\r|\n/;
const DATA = 'data: ';
const END = '\r\n\r\n';

export interface ServerSentEventsContext {
  readonly clock: Clock;
  readonly limits: {
    /** The most bytes of one request. */
    readonly maximumPostSize: number;
    /** The longest time that a process which stands still may keep a message that was sent. */
    readonly longestPauseMs: number;
  };
}

/** A response that never ends carries the messages of the server; the client sends by requests. */
export class ServerSentEventsTransport implements Transport {
  readonly name = 'ServerSentEvents';
  readonly isTextOnly = true;
  readonly #posts: Posts;
  #listener: TransportListener | undefined;
  /** True while the output of this turn of the event loop is held back, to go out together. */
  #isCorked = false;
  /** The time since which the oldest message that is held back has waited. */
  #oldest = 0;
  #endedAt: number | undefined;
  #hasClosed = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly context: ServerSentEventsContext,
  ) {
    const receive = (data: Buffer, waitedMs: number): void => this.#listener?.receive(data, waitedMs);
    this.#posts = new Posts({ receive, brokenOff: (why) => this.#breakOff(why) }, context.limits.maximumPostSize);
  }

  get bufferedAmount(): number {
    return this.response.writableLength;
  }

  start(listener: TransportListener): void {
    this.#listener = listener;
    this.response.once('close', () => this.#close('the client has closed the event stream'));
    this.response.writeHead(200, HEADERS);
    this.response.write(GREETING);
  }

  /** Takes a request by which the client sends. */
  post(request: IncomingMessage, response: ServerResponse): void {
    this.#posts.add(request, response);
  }

  write(frame: Frame, _binary: boolean, since?: number): void {
    if (this.#endedAt !== undefined || this.#hasClosed) return;
    this.#cork(since);
    const { response } = this;
    if (!hasLineBreak(frame)) {
      response.write(DATA);
      response.write(frame);
    } else {
      const lines = frame.toString().split(LINE_BREAK);
      response.write(lines.map((line) => DATA + line).join('\r\n'));
    }
    response.write(END);
  }

  requestDrain(): void {
    this.#uncork();
    const drained = (): void => this.#listener?.transportDrained();
    // A socket tells that it is empty only if it was full, and there may be none yet. An empty write ends after all writes before it.
    if (this.response.writableLength > 0) this.response.write('', drained);
    else setImmediate(drained);
  }

  pause(): void {
    this.#posts.pause();
  }

  resume(): void {
    this.#posts.resume();
  }

  end(): void {
    if (this.#endedAt !== undefined || this.#hasClosed) return;
    this.#uncork();
    this.#endedAt = this.context.clock.time;
    this.#posts.end();
    this.response.end();
  }

  terminate(): void {
    this.response.destroy();
    this.#close('the event stream was cut off');
  }

  /** Cuts off a client that does not read the end of its events in time. */
  sweep(): void {
    if (this.#endedAt !== undefined && this.context.clock.time - this.#endedAt >= CLOSE_TIMEOUT_MS) this.terminate();
  }

  #cork(since = Infinity): void {
    if (this.#isCorked) {
      this.#oldest = Math.min(this.#oldest, since);
      return;
    }
    this.#isCorked = true;
    this.#oldest = Math.min(performance.now(), since);
    this.response.cork();
    setImmediate(() => this.#uncork());
  }

  #uncork(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    if (performance.now() - this.#oldest > this.context.limits.longestPauseMs) this.terminate();
    else this.response.uncork();
  }

  #breakOff(why: string): void {
    this.response.destroy();
    this.#close(why);
  }

  #close(reason: string): void {
    if (this.#hasClosed) return;
    this.#hasClosed = true;
    this.#posts.end();
    this.#listener?.transportClosed(reason);
  }
}

function hasLineBreak(frame: Frame): boolean {
  return frame.includes('\n') || frame.includes('\r');
}
