import { HubConnectionBuilder, HttpTransportType, HubConnectionState, LogLevel, type HubConnection } from '@microsoft/signalr';
import { WebSocket, type ClientOptions } from 'ws';
import { agentClient, hubFailure, type Arguments, type HubMethod, type Result, type StreamType, type WireType } from '#libs/contracts';
import { reasonOf } from '../failures.js';
import type { Log } from '../logs/log.js';
import { FlowControlledSocket } from './flow-controlled-socket.js';
import { IncomingStream } from './incoming-stream.js';
import { OutgoingStream } from './outgoing-stream.js';

/** Handlers of the server's calls: one function for each method of the contract. */
export type AgentHandlers = {
  readonly [K in keyof typeof agentClient]: (
    ...args: Arguments<(typeof agentClient)[K]>
  ) => Result<(typeof agentClient)[K]> | Promise<Result<(typeof agentClient)[K]>>;
};

const SERVER_SILENCE_LIMIT_MS = 30_000;
const KEEP_ALIVE_MS = 15_000;

/** One hub connection of an agent: typed by the method tables, with back-pressure on streams in both directions. */
export class HubLink {
  private readonly connection: HubConnection;
  private socket: FlowControlledSocket | undefined;

  constructor(
    serverUri: string,
    private readonly log: Log,
  ) {
    const options = {
      transport: HttpTransportType.WebSockets,
      skipNegotiation: true,
      // The agent logs what matters itself.
      logger: LogLevel.None,
      WebSocket: socketClass((socket) => (this.socket = socket)),
    };
    this.connection = new HubConnectionBuilder()
      .withUrl(new URL('/hubs/agent', serverUri).href, options)
      .withServerTimeout(SERVER_SILENCE_LIMIT_MS)
      .withKeepAliveInterval(KEEP_ALIVE_MS)
      .build();
  }

  /** One attempt to connect. */
  async connect(): Promise<void> {
    try {
      await this.connection.start();
    } catch (error) {
      // The client library only guesses the reason; the socket knows it.
      throw this.socket?.fault ?? error;
    }
  }

  async close(): Promise<void> {
    // The client library would wait for the answer to the upgrade, which a dead server never sends.
    if (this.socket?.readyState === WebSocket.CONNECTING) this.socket.terminate();
    await this.connection.stop();
  }

  /** Calls the listener whenever an established connection is lost or closed. */
  onClose(listener: (error: Error | undefined) => void): void {
    this.connection.onclose(listener);
  }

  /** Registers the handlers of the server's calls. When a handler throws, the call fails with its reason. */
  serve(handlers: AgentHandlers): void {
    const handlersByName: Readonly<Record<string, (...args: never[]) => unknown>> = handlers;
    for (const method of Object.values<HubMethod>(agentClient)) {
      this.connection.on(method.name, async (...raw: unknown[]) => this.answer(method, handlersByName[method.name], raw));
    }
  }

  /** Calls a method of the server and waits for its result. */
  async invoke<M extends HubMethod>(method: M, args: Arguments<M>): Promise<Result<M>> {
    const encoded = encodeArguments(method, args);
    await this.socket?.room();
    const raw: unknown = await this.connection.invoke(method.name, ...encoded);
    return decodeResult(method, raw);
  }

  /**
   * Sends a call whose last parameter is a stream, and the items of the stream. Resolves when the last item has been sent, or
   * when the server answers earlier: it then reads no more, and the rest is not sent. When reading the items fails, the server is
   * told and the error is thrown.
   */
  async sendStream<M extends HubMethod>(method: M, args: Arguments<M>): Promise<void> {
    const [items, itemType] = streamArgument(method, args);
    const encoded = encodeArguments({ parameters: method.parameters.slice(0, -1) }, args);
    const { socket } = this;
    // A stream belongs to the connection that it began on; a later connection does not know its id.
    const stream = new OutgoingStream(() => this.socket === socket && this.isOpen());
    stream.begin(() => this.connection.invoke(method.name, ...encoded, stream.subject));
    try {
      for await (const item of items) {
        if (stream.isAnswered) break;
        // Encoded immediately, because the next item may reuse this memory.
        stream.next(itemType.encode(item, 'json'));
        await this.roomForMore();
      }
      stream.complete();
      await this.roomForMore();
    } catch (error) {
      stream.fail(reasonOf(error));
      throw error;
    }
  }

  /** Calls a method of the server that answers a stream. While its reader is slow, the socket is paused. */
  openStream<M extends HubMethod & { readonly returns: StreamType<unknown> }>(method: M, args: Arguments<M>): Result<M>;
  openStream(method: HubMethod & { readonly returns: StreamType<unknown> }, args: readonly unknown[]): AsyncIterable<unknown> {
    const socket = this.socket;
    if (socket === undefined) throw new Error('The connection to the server is closed.');
    const itemType = method.returns.stream;
    const incoming = new IncomingStream<unknown>(socket, () => subscription.dispose());
    const subscription = this.connection.stream<unknown>(method.name, ...encodeArguments(method, args)).subscribe({
      next: (raw) => {
        try {
          incoming.next(itemType.decode(raw, 'json'));
        } catch (error) {
          incoming.error(error);
        }
      },
      complete: () => incoming.complete(),
      error: (error) => incoming.error(error),
    });
    return incoming;
  }

  private async answer(method: HubMethod, handler: (...args: never[]) => unknown, raw: readonly unknown[]): Promise<unknown> {
    const returns = method.returns;
    try {
      const args = decodeArguments(method, raw);
      const result: unknown = await handler(...args);
      return returns === undefined || 'stream' in returns ? undefined : returns.encode(result, 'json');
    } catch (error) {
      this.log.error(`${method.name} failed.`, error);
      if (returns === undefined || 'stream' in returns) return undefined;
      // Results that can express a failure are HubResults. The handlers of the other methods express failures themselves.
      if (returns.name.startsWith('HubResult')) return returns.encode(hubFailure(reasonOf(error)), 'json');
      throw error;
    }
  }

  /** Waits until the socket takes more. The client library queues each item behind a promise, so the item reaches the socket first. */
  private async roomForMore(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.socket?.roomForItem();
  }

  private isOpen(): boolean {
    return this.connection.state === HubConnectionState.Connected && this.socket?.readyState === WebSocket.OPEN;
  }
}

/** A socket class that the client library constructs and that reports each instance. */
function socketClass(capture: (socket: FlowControlledSocket) => void): typeof FlowControlledSocket {
  return class extends FlowControlledSocket {
    constructor(address: string | URL, protocols: string | string[] | undefined, options: ClientOptions) {
      super(address, protocols, options);
      capture(this);
    }
  };
}

function encodeArguments(method: Pick<HubMethod, 'parameters'>, args: readonly unknown[]): unknown[] {
  return method.parameters.map((parameter, index) => valueType(parameter).encode(args[index], 'json'));
}

function decodeArguments(method: HubMethod, raw: readonly unknown[]): never[];
function decodeArguments(method: HubMethod, raw: readonly unknown[]): unknown[] {
  return method.parameters.map((parameter, index) => valueType(parameter).decode(raw[index], 'json'));
}

function decodeResult<M extends HubMethod>(method: M, raw: unknown): Result<M>;
function decodeResult(method: HubMethod, raw: unknown): unknown {
  return method.returns === undefined ? undefined : valueType(method.returns).decode(raw, 'json');
}

function streamArgument(method: HubMethod, args: readonly unknown[]): [AsyncIterable<unknown>, WireType<unknown>];
function streamArgument(method: HubMethod, args: readonly unknown[]): [unknown, WireType<unknown> | undefined] {
  const parameter = method.parameters.at(-1);
  return [args.at(-1), parameter !== undefined && 'stream' in parameter ? parameter.stream : undefined];
}

function valueType(parameter: WireType<unknown> | StreamType<unknown>): WireType<unknown> {
  if ('stream' in parameter) throw new TypeError('A stream is not a value.');
  return parameter;
}
