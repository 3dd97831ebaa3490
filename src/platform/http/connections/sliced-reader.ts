import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Pipelines } from './pipelines.js';
import type { EventLoopTurns } from './event-loop-turns.js';

/** Members that Node.js keeps on the sockets that it serves, besides those of its types. */
export interface HttpSocket extends Socket {
  readonly parser?: HttpParser | null;
  /** True if Node.js waits for the client to take its answers. */
  readonly _paused?: boolean;
  /** The response that is being sent. */
  readonly _httpMessage?: ServerResponse | null;
}

interface HttpParser {
  /** Takes a request whose headers were read. Returns the parser's error code, or 1 or 2 for the way to continue. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  resume(): void;
}

/** An error of the parser. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were being parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The parser's code for an interruption, and its name in the error of Node.js. The parser can continue from there. */
const PAUSED = 21;
const PAUSED_NAME = 'HPE_PAUSED';

/** Smallest slice in bytes: 57 of the shortest requests, or 170 of the shortest parts of a body, some tenths of a millisecond. */
const SMALLEST_SLICE = 1_024;
/** Largest slice in bytes: slices that cost little grow to it, so that bodies are read fast. */
const LARGEST_SLICE = 16 * 1_024;
/** Longest time of a slice that costs little, in milliseconds. */
const LITTLE_MS = 0.1;

/**
 * Reads one connection. Node.js parses all that a read of the socket brings, which may be thousands of requests, or of parts of a
 * body: tens of milliseconds, on each connection. That is fast and does no harm as long as a connection brings one request at a time.
 * From its second request in one turn of the event loop on, or from a body in parts on, it is read in slices, each in its turn, and
 * none while requests wait for an earlier one.
 */
export class SlicedReader {
  private turn = 0;
  private isSliced = false;
  /** The request that was read last, of a connection that is read in slices. */
  private latest: IncomingMessage | undefined;
  /** True if the next slice waits for its turn. */
  private isDue = false;
  private slice = SMALLEST_SLICE;

  constructor(
    private readonly socket: HttpSocket,
    private readonly turns: EventLoopTurns,
    private readonly pipelines: Pipelines,
  ) {
    const { parser } = socket;
    if (parser === undefined || parser === null) return;
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepAlive) => {
      const code = onIncoming(request, keepAlive);
      return code === 0 && this.mustStop(request) ? PAUSED : code;
    };
  }

  /** Takes back what the parser left when it was interrupted. False when the error is another one. */
  takeBack({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
    const { socket } = this;
    if (code !== PAUSED_NAME || rawPacket === undefined) return false;
    // Listening takes the reading from the parser, and keeps the socket from flowing.
    socket.on('readable', this.goOn);
    socket.on('resume', this.goOn);
    if (bytesParsed < rawPacket.length) socket.unshift(rawPacket.subarray(bytesParsed));
    socket.parser?.resume();
    this.goOn();
    return true;
  }

  /** Ends the reading in slices: the connection changes to another protocol. */
  end(): void {
    this.socket.off('readable', this.goOn);
    this.socket.off('resume', this.goOn);
  }

  /** Reads the next slice in a later turn, if it may be read. */
  readonly goOn = (): void => {
    if (this.isDue || !this.mayRead) return;
    this.isDue = true;
    this.turns.later(this.readSlice);
  };

  /** Checks whether the parser must stop behind the headers of this request, so that the rest is read in slices. */
  private mustStop(request: IncomingMessage): boolean {
    const wasSliced = this.isSliced;
    if (!wasSliced) {
      const turn = this.turns.number;
      this.isSliced = this.turn === turn || this.pipelines.has(this.socket) || request.headers['transfer-encoding'] !== undefined;
      this.turn = turn;
    }
    if (this.isSliced) this.latest = request;
    return this.isSliced && !wasSliced;
  }

  private get mayRead(): boolean {
    const { socket, latest } = this;
    if (!this.isSliced || socket.destroyed || socket._paused === true || this.pipelines.has(socket)) return false;
    // Node.js resumes the socket when the body is taken.
    return latest === undefined || latest.readableLength < latest.readableHighWaterMark;
  }

  private readonly readSlice = (): void => {
    const { socket } = this;
    this.isDue = false;
    if (!this.mayRead) return;
    const start = performance.now();
    // Listeners for data get what is read.
    const bytes: unknown = socket.read(Math.min(this.slice, socket.readableLength));
    this.slice = performance.now() - start > LITTLE_MS ? SMALLEST_SLICE : Math.min(2 * this.slice, LARGEST_SLICE);
    if (bytes !== null) this.goOn();
  };
}
