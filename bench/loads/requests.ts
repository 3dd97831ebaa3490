import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * HTTP requests over kept-alive connections, one at a time on each. Uses plain sockets, because Node's own client
 * costs more than the servers that it would measure.
 */

interface RequestLoad {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

/** Changes: each connection has a path of its own, and sends the bodies in turn. */
interface ChangeLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lanes: readonly { readonly path: string; readonly bodies: readonly object[] }[];
  readonly seconds: number;
}

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;
const STATUS_POSITION = 'HTTP/1.1 '.length;

class Lane {
  private received = '';
  private missing = 0;
  private answered: (succeeded: boolean) => void = () => undefined;

  private next = 0;

  private constructor(
    private readonly socket: Socket,
    /** Sent in turn. */
    private readonly requests: readonly Buffer[],
  ) {
    socket.on('data', (data: Buffer) => this.receive(data));
    socket.once('close', () => this.answered(false));
  }

  static async open(address: URL, requests: readonly Buffer[]): Promise<Lane> {
    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return new Lane(socket, requests);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Sends the next request. Returns true if a complete answer with status 200 came. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.answered = resolve;
      this.socket.write(this.requests[this.next++ % this.requests.length]);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(data: Buffer): void {
    this.received += data.toString('latin1');
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const length = CONTENT_LENGTH.exec(this.received)?.[1];
    if (length === undefined) throw new Error(`An answer without Content-Length: ${this.received.slice(0, headEnd)}`);
    this.missing = headEnd + HEAD_END.length + Number(length) - this.received.length;
    if (this.missing > 0) return;
    const succeeded = this.received.startsWith('200', STATUS_POSITION);
    this.received = '';
    this.answered(succeeded);
  }
}

const calls = {
  async run({ url, headers = {}, connections, seconds }: RequestLoad): Promise<LoadResult> {
    const address = new URL(url);
    const request = Buffer.from(`GET ${address.pathname}${address.search} HTTP/1.1\r\n${head(address, headers)}\r\n`);
    return load(await Promise.all(Array.from({ length: connections }, () => Lane.open(address, [request]))), seconds);
  },

  async change({ url, headers, lanes, seconds }: ChangeLoad): Promise<LoadResult> {
    const address = new URL(url);
    const requestOf = (path: string, body: object): Buffer => {
      const text = JSON.stringify(body);
      const lines = head(address, { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) });
      return Buffer.from(`PUT ${path} HTTP/1.1\r\n${lines}\r\n${text}`);
    };
    const opened = lanes.map(({ path, bodies }) =>
      Lane.open(
        address,
        bodies.map((body) => requestOf(path, body)),
      ),
    );
    return load(await Promise.all(opened), seconds);
  },
};

function head({ host }: URL, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return lines.join('');
}

async function load(lanes: readonly Lane[], seconds: number): Promise<LoadResult> {
  const recorder = new Recorder();
  const deadline = performance.now() + seconds * 1000;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let since = performance.now(); since < deadline && lane.isOpen; since = performance.now()) {
        if (await lane.ask()) recorder.completed(since);
        else recorder.fail();
      }
    }),
  );
  for (const lane of lanes) lane.close();
  return recorder.result();
}

export type RequestCalls = typeof calls;
serveCalls(calls);
