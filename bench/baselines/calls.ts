import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Packr, Unpackr } from 'msgpackr';
import { WebSocketServer, type WebSocket } from 'ws';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * The least that answers calls in the hub protocol, in JSON and MessagePack: the handshake, and one method that returns its
 * argument. Each answer is sent at once. No limits, no streams, no groups.
 */

interface Call {
  readonly invocationId: string;
  readonly text: string;
}

const END = '\x1e';
const COMPLETION = 3;
const RESULT_VALUE = 3;
const packer = new Packr({ useRecords: false, variableMapSize: true });
const unpacker = new Unpackr({ useRecords: false });

const server = createServer();
const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, greet));

const calls = {
  async start(): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
};

export type CallsBaseline = typeof calls;
serveCalls(calls);

/** Reads the handshake, and from then on calls. */
function greet(socket: WebSocket): void {
  socket.once('message', (data: Buffer) => {
    const isJson = data.includes('"json"');
    socket.send(isJson ? `{}${END}` : Buffer.from(`{}${END}`));
    socket.on('message', isJson ? (frame: Buffer) => answerJson(socket, frame) : (frame: Buffer) => answerMessagePack(socket, frame));
  });
}

function answerJson(socket: WebSocket, frame: Buffer): void {
  const text = frame.toString();
  let start = 0;
  for (let end = text.indexOf(END); end !== -1; end = text.indexOf(END, start)) {
    const call = JSON.parse(text.slice(start, end)) as { readonly invocationId: string; readonly arguments: readonly unknown[] };
    socket.send(JSON.stringify({ type: COMPLETION, invocationId: call.invocationId, result: call.arguments[0] }) + END);
    start = end + 1;
  }
}

function answerMessagePack(socket: WebSocket, frame: Buffer): void {
  let start = 0;
  while (start < frame.length) {
    // The calls of the load have less than 128 bytes, so that their length takes one.
    const end = start + 1 + frame[start];
    const { invocationId, text } = read(frame.subarray(start + 1, end));
    const packed = packer.pack([COMPLETION, {}, invocationId, RESULT_VALUE, text]);
    socket.send(Buffer.concat([Buffer.from([packed.length]), packed]));
    start = end;
  }
}

function read(message: Buffer): Call {
  const [, , invocationId, , [text]] = unpacker.unpack(message) as [number, object, string, string, [string]];
  return { invocationId, text };
}
