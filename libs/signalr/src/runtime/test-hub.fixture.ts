import { setImmediate as turn } from 'node:timers/promises';
import type { HubProtocol } from '../protocol/hub-protocol.js';
import { Backlog } from './limits/backlog.js';
import { InProcessBackplane } from './hub/backplane.js';
import { ConnectionClock } from './limits/connection-clock.js';
import { ConnectionRequest } from './connection/connection-request.js';
import type { HubError } from './errors.js';
import type { HubConnection } from './connection/hub-connection.js';
import type { HubFilter } from './hub/hub-filter.js';
import type { HubLimits } from './limits/hub-limits.js';
import { clientMethod } from './calls/method-descriptor.js';
import { RecordingTransport } from './recording-transport.fixture.js';
import { Scheduler } from './limits/scheduler.js';
import { RunningHub } from './hub/running-hub.js';
import { UploadStream } from './streams/upload-stream.js';
import { text } from './wire-type.js';

export const SECOND = 1_000;
const MAXIMUM_TURNS = 1_000;
/** The request of every client. */
export const REQUEST = new ConnectionRequest({ url: '/hub?room=blue', rawHeaders: ['User-Agent', 'spec'] });

/** A client method without an answer. */
export const news = clientMethod('News', [text]);
/** A client method that answers with a text. */
export const question = clientMethod('Question', [text], text);

export interface TestHubOptions {
  readonly filters?: readonly HubFilter[];
  readonly hubErrorOf?: (error: unknown) => HubError | undefined;
  readonly serverFilters?: readonly HubFilter[];
  readonly limits?: Partial<HubLimits>;
  readonly detailedErrors?: boolean;
  readonly maximumUnreadBytes?: number;
  readonly slowStreamBuffer?: number;
  readonly protocols?: readonly HubProtocol[];
}

/** A hub without a network. Time passes only when a test lets it, also for the scheduler, and logged lines can be read. */
export class TestHub extends RunningHub {
  /** The lines logged so far. */
  readonly warnings: string[];
  readonly errors: string[];
  /** The scheduler's clock in milliseconds. */
  readonly reading: { now: number };
  #now = 0;
  #opened = 0;
  readonly #time: ConnectionClock;

  constructor(options: TestHubOptions = {}) {
    const {
      limits = {},
      detailedErrors = false,
      maximumUnreadBytes = Infinity,
      slowStreamBuffer,
      protocols,
      filters,
      hubErrorOf,
      serverFilters,
    } = options;
    const reading = { now: 0 };
    const warnings: string[] = [];
    const errors: string[] = [];
    const logger = { debug: () => undefined, warn: (line: string) => warnings.push(line), error: (line: string) => errors.push(line) };
    const clock = new ConnectionClock(2 * SECOND);
    clock.advance(0);
    const backlog = new Backlog(maximumUnreadBytes, clock);
    const scheduler = new Scheduler(() => reading.now);
    const environment = { clock, logger, backplane: new InProcessBackplane(), scheduler, backlog, filters: serverFilters };
    super({ path: '/hub', limits, detailedErrors, protocols, filters, hubErrorOf }, environment);
    this.warnings = warnings;
    this.errors = errors;
    this.#time = clock;
    this.reading = reading;
    if (slowStreamBuffer !== undefined) this.slowStreamBuffer = slowStreamBuffer;
  }

  /** Opens a connection that has not shaken hands. Its id is `n.` and its number, counted from 1. */
  openTransport(userId?: string, unauthenticatedSource?: string): RecordingTransport {
    const transport = new RecordingTransport();
    this.open(transport, {
      connectionId: `n.${++this.#opened}`,
      user: undefined,
      userId,
      remoteAddress: undefined,
      request: REQUEST,
      unauthenticatedSource,
    });
    return transport;
  }

  /** Opens a connection and shakes hands in JSON. The transport has forgotten the server's answer. */
  connect(userId?: string, unauthenticatedSource?: string): { transport: RecordingTransport; connection: HubConnection } {
    return this.#connect('json', userId, unauthenticatedSource);
  }

  /** The same in MessagePack. */
  connectInMessagePack(userId?: string): { transport: RecordingTransport; connection: HubConnection } {
    return this.#connect('messagepack', userId);
  }

  /** The same in a protocol of the program. */
  connectWith(protocol: string): { transport: RecordingTransport; connection: HubConnection } {
    return this.#connect(protocol);
  }

  #connect(
    protocol: string,
    userId?: string,
    unauthenticatedSource?: string,
  ): { transport: RecordingTransport; connection: HubConnection } {
    const transport = this.openTransport(userId, unauthenticatedSource);
    transport.deliverRecords({ protocol, version: 1 });
    if (transport.sent.join('') !== '{}\x1e') throw new Error(`The handshake failed: ${transport.sent.join('')}`);
    transport.clear();
    const connection = this.connection(`n.${this.#opened}`);
    if (connection === undefined) throw new Error('The connection is not open.');
    return { transport, connection };
  }

  /** Lets time pass second by second, with a sweep after each. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) this.jump(1);
  }

  /** Lets time pass at once, as when the process was suspended, with one sweep afterwards. */
  jump(seconds: number): void {
    this.#now += seconds * SECOND;
    this.#time.advance(this.#now);
    this.backlog.sweep();
    this.sweep();
  }
}

/** Lets promises that are settled already take effect. */
export { turn };

/** Waits some turns of the event loop for something to happen. */
export async function eventually(happened: () => boolean): Promise<void> {
  for (let turns = 0; !happened(); turns++) {
    if (turns === MAXIMUM_TURNS) throw new Error('It did not happen.');
    await turn();
  }
}

/** A call that wants no answer, as a JSON record. */
export function call(target: string, ...args: unknown[]): object {
  return { type: 1, target, arguments: args };
}

/** A call that wants an answer, as a JSON record. */
export function invocation(invocationId: string, target: string, ...args: unknown[]): object {
  return { type: 1, invocationId, target, arguments: args };
}

/** The error for a caller whose call cannot be carried out as it was made. */
export function refused(method: string, reason: string): string {
  return `Failed to invoke '${method}' due to an error on the server. HubException: ${reason}`;
}

/** A promise that a test settles. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let resolveOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => (resolveOpened = resolve));
  return { opened, open: () => resolveOpened() };
}

/** The stream that a method got as an argument. */
export function iterableOf(value: unknown): AsyncIterable<number> {
  if (!(value instanceof UploadStream)) throw new Error('The argument is no stream.');
  return value;
}

export function iteratorOf(value: unknown): AsyncIterator<number> {
  return iterableOf(value)[Symbol.asyncIterator]();
}
