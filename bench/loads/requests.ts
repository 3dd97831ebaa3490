import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * HTTP GET requests over kept-alive connections, one at a time on each. Uses plain sockets, because Node's own client
 * costs more than the servers that it would measure.
 */

interface RequestLoad {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;
const STATUS_POSITION = 'HTTP/1.1 '.length;

class Lane {
  private received = '';
  private missing = 0;
  private answered: (succeeded: boolean) => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly request: Buffer,
  ) {
    socket.on('data', (data: Buffer) => this.receive(data));
    socket.once('close', () => this.answered(false));
  }

  static async open(address: URL, request: Buffer): Promise<Lane> {
    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return new Lane(socket, request);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Sends the request. Returns true if a complete answer with status 200 came. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.answered = resolve;
      this.socket.write(this.request);
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
    const lines = Object.entries({ Host: address.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = Buffer.from(`GET ${address.pathname}${address.search} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.open(address, request)));
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
  },
};

export type RequestCalls = typeof calls;
serveCalls(calls);
