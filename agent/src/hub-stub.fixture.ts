import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { WebSocketServer, type WebSocket } from 'ws';

import { DeviceUpdateRequestDto, signedDtoOf, type Infer } from '#libs/contracts';

import type { Log } from './logs/log.js';

/** A peer of the agent that speaks the hub protocol on a real socket, one message at a time. */

const RECORD_END = '\u001e';
const KEEP_ALIVE = `{"type":6}${RECORD_END}`;
/** Time-out, in milliseconds: longer than any act of an agent on a busy machine. */
const DEADLINE_MS = 60_000;
/** The agent drops a server that is silent for half a minute. Some tests take longer on a busy machine. */
const KEEP_ALIVE_MS = 5_000;

export type Message = Readonly<Record<string, unknown>>;

/** A minimal hub: records what arrives, answers heartbeats, and lets a test call the agent. */
export class HubStub {
  readonly received: Message[] = [];
  connections = 0;
  refusesConnections = false;
  /** Says of each inventory that it is known. A test may answer itself. */
  takesInventories = true;
  /** The answer to a heartbeat. A test may replace it. */
  heartbeatResult: (dto: DeviceUpdateRequestDto) => unknown = (dto) => ({ value: deviceResponse(dto), isSuccess: true });
  /** Time of the server's clock. */
  now: () => number = () => Date.now();
  private readonly http: Server = createServer((_request, response) => {
    response.setHeader('Date', new Date(this.now()).toUTCString());
    response.end();
  });
  private readonly sockets = new WebSocketServer({ server: this.http, path: '/hubs/agent' });
  private socket: WebSocket | undefined;
  private readonly greeted = new Set<WebSocket>();
  private readonly listeners = new Set<() => void>();
  private keepAlive: NodeJS.Timeout | undefined;
  private nextId = 1;

  async listen(): Promise<string> {
    this.sockets.on('connection', (socket) => this.onConnection(socket));
    this.http.listen(0, '127.0.0.1');
    await once(this.http, 'listening');
    this.keepAlive = setInterval(() => this.greeted.forEach((socket) => socket.send(KEEP_ALIVE)), KEEP_ALIVE_MS);
    const address = this.http.address();
    if (typeof address !== 'object' || address === null) throw new Error('The hub does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.keepAlive);
    this.drop();
    this.sockets.close();
    this.http.close();
    await once(this.http, 'close');
  }

  /** Cuts the connection like a network failure. */
  drop(): void {
    this.socket?.terminate();
  }

  /** Stops reading, so that the agent's messages stay in flight. */
  stall(): void {
    this.socket?.pause();
  }

  resume(): void {
    this.socket?.resume();
  }

  /** From now on reads one stream item per this many milliseconds, like a reader on a slow line. */
  readSlowly(millisecondsPerItem: number): void {
    let items = 0;
    let busyUntil = 0;
    this.listeners.add(() => {
      const arrived = this.streamItemCount - items;
      if (arrived === 0) return;
      items += arrived;
      this.stall();
      busyUntil = Math.max(busyUntil, Date.now()) + arrived * millisecondsPerItem;
      const until = busyUntil;
      setTimeout(() => {
        if (until === busyUntil) this.resume();
      }, until - Date.now());
    });
  }

  /** The reports received. */
  get heartbeats(): Message[] {
    return this.received.filter((message) => message.target === 'UpdateDeviceSigned');
  }

  /** The number of stream items received. */
  get streamItemCount(): number {
    return this.received.filter((message) => message.type === 2).length;
  }

  get isConnected(): boolean {
    return this.greeted.size > 0;
  }

  get bufferedBytes(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** Calls a method of the agent and waits for its completion. */
  async call(target: string, ...args: unknown[]): Promise<unknown> {
    const invocationId = `s${this.nextId++}`;
    this.send({ type: 1, invocationId, target, arguments: args });
    const completion = await this.next((message) => message.type === 3 && message.invocationId === invocationId);
    if (completion.error !== undefined) throw new Error(JSON.stringify(completion.error));
    return completion.result;
  }

  send(message: Message): void {
    this.socket?.send(JSON.stringify(message) + RECORD_END);
  }

  /** The first matching message, already received or future. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    return this.until(() => this.received.find(fits));
  }

  /** Waits until the condition returns a value. */
  async until<T>(condition: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.listeners.delete(check);
        reject(new Error(`It did not happen in time. Received: ${JSON.stringify(this.received).slice(0, 2000)}`));
      }, DEADLINE_MS);
      const check = (): void => {
        const value = condition();
        if (value === undefined) return;
        clearTimeout(timer);
        this.listeners.delete(check);
        resolve(value);
      };
      this.listeners.add(check);
      check();
    });
  }

  private onConnection(socket: WebSocket): void {
    if (this.refusesConnections) {
      socket.terminate();
      return;
    }
    this.connections++;
    this.socket = socket;
    let rest = '';
    socket.on('close', () => this.greeted.delete(socket));
    socket.on('message', (data: Buffer) => {
      const records = (rest + data.toString('utf8')).split(RECORD_END);
      rest = records.pop() ?? '';
      for (const record of records) {
        if (this.greeted.has(socket)) this.onMessage(JSON.parse(record));
        else socket.send(`{}${RECORD_END}`);
        this.greeted.add(socket);
      }
    });
  }

  private onMessage(message: Message): void {
    if (message.type === 6) return;
    this.received.push(message);
    if (message.target === 'UpdateDeviceSigned') {
      const { dto } = envelope(message);
      this.send({ type: 3, invocationId: message.invocationId, result: this.heartbeatResult(dto) });
    } else if (message.target === 'ReportInventory' && this.takesInventories) {
      this.send({ type: 3, invocationId: message.invocationId, result: { value: false, isSuccess: true, reason: null, errorCode: null } });
    } else if (message.target === 'SendTerminalOutputToViewer' || message.target === 'OfferFeatures') {
      this.send({ type: 3, invocationId: message.invocationId });
    }
    for (const listener of this.listeners) listener();
  }
}

const Envelope = signedDtoOf(DeviceUpdateRequestDto);

/** The signed report in a message. */
export function envelope(message: Message): Infer<typeof Envelope> {
  if (!Array.isArray(message.arguments)) throw new Error('no arguments');
  return Envelope.decode(message.arguments[0], 'json');
}

/** The server's answer to a report. */
export function deviceResponse(dto: DeviceUpdateRequestDto): unknown {
  return { ...Object(DeviceUpdateRequestDto.encode(dto, 'json')), lastSeen: '2026-01-01T00:00:00+00:00' };
}

/** Keeps log lines, so that a test can wait for them or print them. */
export class MemoryLog implements Log {
  readonly lines: string[] = [];

  info(message: string): void {
    this.lines.push(message);
  }

  warn(message: string): void {
    this.lines.push(message);
  }

  error(message: string, cause: unknown): void {
    this.lines.push(`${message} ${String(cause)}`);
  }
}
