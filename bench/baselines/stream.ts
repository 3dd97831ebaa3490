import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Packr, Unpackr } from 'msgpackr';
import { WebSocketServer, type WebSocket } from 'ws';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * A plain hub stream: one viewer, one agent, MessagePack. Every stream item is decoded and encoded again, as in a hub,
 * and the sender is paused while the receiver is slow. No framework, no authorization, no stream buffers.
 */

const HIGH_WATER_MARK = 65_536;
const STREAM_ID = '0199a000-0000-7000-9000-000000000002';

const MessageType = { Invocation: 1, StreamItem: 2, Completion: 3, StreamInvocation: 4 } as const;
const RESULT_VOID = 2;
const RESULT_VALUE = 3;
const SUCCESS = { Value: null, IsSuccess: true, Reason: null, ErrorCode: null };

const packer = new Packr({ useRecords: false, variableMapSize: true });
const unpacker = new Unpackr({ useRecords: false });

/** The destination of the current stream's items. */
interface Sink {
  /** Returns true if there is room for more. */
  write(item: Buffer): boolean;
  drained(): Promise<void>;
  end(): void;
}

let agent: WebSocket | undefined;
let sink: Sink | undefined;
/** Items that arrived before the sink existed. */
let early: (Buffer | 'end')[] = [];
let answerUpload: () => void = () => undefined;

const server = createServer((request, response) => {
  request.resume();
  if (request.method === 'POST') return negotiate(response);
  download(response);
});
// As the service does: a connection must not end while the load measures between two requests.
server.keepAliveTimeout = 65_000;
const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const isAgent = request.url?.startsWith('/hubs/agent') === true;
    if (isAgent) agent = webSocket;
    let greeted = false;
    webSocket.on('message', (data: Buffer) => {
      if (greeted) return receive(webSocket, data);
      greeted = true;
      webSocket.send(Buffer.from('{}\x1e'));
    });
  });
});

const calls = {
  async start(): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

export type StreamBaselineCalls = typeof calls;
serveCalls(calls);

function negotiate(response: ServerResponse): void {
  const token = randomBytes(24).toString('base64url');
  response.end(JSON.stringify({ negotiateVersion: 1, connectionId: token, connectionToken: token, availableTransports: [] }));
}

function download(response: ServerResponse): void {
  open({
    write: (item) => response.write(item),
    drained: async () => {
      // The end of the answer drains the last bytes. The listener of the other event is removed.
      const settled = new AbortController();
      const { signal } = settled;
      await Promise.race([once(response, 'drain', { signal }), once(response, 'finish', { signal })]);
      settled.abort();
    },
    end: () => response.end(),
  });
  agent?.send(framed([MessageType.Invocation, {}, '1', 'UploadFileToViewer', [{ StreamId: STREAM_ID, FilePath: '/file' }], []]));
}

function open(opened: Sink): void {
  sink = opened;
  for (const item of early.splice(0)) {
    if (item === 'end') end();
    else opened.write(item);
  }
}

/** Handles every message of a frame. */
function receive(from: WebSocket, data: Buffer): void {
  let start = 0;
  while (start < data.length) {
    let length = 0;
    let shift = 1;
    let byte: number;
    do {
      byte = data[start];
      length += (byte & 0x7f) * shift;
      shift *= 128;
      start += 1;
    } while (byte > 0x7f);
    handle(from, unpacker.unpack(data.subarray(start, start + length)) as readonly unknown[]);
    start += length;
  }
}

function handle(from: WebSocket, message: readonly unknown[]): void {
  const [type, , id, third] = message;
  switch (type) {
    case MessageType.StreamItem:
      return forward(from, third as Buffer);
    case MessageType.Completion:
      if (third === RESULT_VOID) end();
      else answerUpload();
      return;
    case MessageType.StreamInvocation:
      return open(streamTo(from, String(id)));
    case MessageType.Invocation:
      if (third === 'UploadFile') upload(from, String(id));
      else if (id !== null) from.send(framed([MessageType.Completion, {}, id, RESULT_VALUE, SUCCESS]));
  }
}

/** Passes the viewer's file to the agent, which fetches it with a stream of its own. The agent's answer completes the viewer's call. */
function upload(viewer: WebSocket, id: string): void {
  answerUpload = () => {
    answerUpload = () => undefined;
    viewer.send(framed([MessageType.Completion, {}, id, RESULT_VALUE, SUCCESS]));
  };
  const request = { StreamId: STREAM_ID, TargetDirectoryPath: '/', FileName: 'file', FileSize: 0, Overwrite: true };
  agent?.send(framed([MessageType.Invocation, {}, '1', 'DownloadFileFromViewer', [request], []]));
}

function streamTo(receiver: WebSocket, id: string): Sink {
  return {
    write: (item) => {
      receiver.send(framed([MessageType.StreamItem, {}, id, item]));
      return receiver.bufferedAmount < HIGH_WATER_MARK;
    },
    // Called when everything before it has been sent.
    drained: () => new Promise((resolve) => receiver.ping(undefined, false, () => resolve())),
    end: () => receiver.send(framed([MessageType.Completion, {}, id, RESULT_VOID])),
  };
}

function forward(from: WebSocket, item: Buffer): void {
  if (sink === undefined) early.push(Buffer.from(item));
  else if (!sink.write(item) && !from.isPaused) {
    from.pause();
    void sink.drained().then(() => from.resume());
  }
}

function end(): void {
  if (sink === undefined) {
    early.push('end');
    return;
  }
  sink.end();
  sink = undefined;
}

function framed(message: readonly unknown[]): Buffer {
  const packed = packer.pack(message);
  const prefix: number[] = [];
  for (let rest = packed.length; ; rest = Math.floor(rest / 0x80)) {
    prefix.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Buffer.from(prefix), packed]);
}
