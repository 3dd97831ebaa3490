import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';

import { Packr, Unpackr } from 'msgpackr';
import { WebSocket } from 'ws';

import { deviceIdOf } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';
import { messagePackReport } from './load-agent.js';

/*
 * Files through the hub: a viewer uploads and an agent fetches, an agent sends and an HTTP client downloads. One
 * process plays all parts. A lost byte is an error.
 */

interface StreamTarget {
  readonly url: string;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly device: number;
  /** Server that the viewer calls, if not `url`. */
  readonly viewerUrl?: string;
}

export interface StreamResult {
  readonly bytes: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

type Fields = readonly unknown[];

const MessageType = { Invocation: 1, StreamItem: 2, Completion: 3, StreamInvocation: 4, Ping: 6 } as const;
const RESULT_VOID = 2;
const RESULT_VALUE = 3;
/** Bytes that agents and web pages send at a time. */
const ITEM_SIZE = 30 * 1024;
const HIGH_WATER_MARK = 1_048_576;
/** The hubs end connections that are silent for three times as long. */
const PING_INTERVAL_MS = 10_000;

const packer = new Packr({ useRecords: false, variableMapSize: true });
const unpacker = new Unpackr({ useRecords: false });
const SUCCESS = { IsSuccess: true, Reason: null, ErrorCode: null };

/** A connection that speaks MessagePack. */
class Peer {
  onMessage: (message: Fields) => void = () => undefined;

  private constructor(readonly socket: WebSocket) {
    const ping = setInterval(() => this.send([MessageType.Ping]), PING_INTERVAL_MS).unref();
    socket.once('close', () => clearInterval(ping));
  }

  static async connect(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Peer> {
    const address = new URL(path, url);
    address.protocol = 'ws:';
    const socket = new WebSocket(address, { headers, perMessageDeflate: false });
    await once(socket, 'open');
    socket.send('{"protocol":"messagepack","version":1}\x1e');
    await once(socket, 'message');
    const peer = new Peer(socket);
    socket.on('message', (data: Buffer) => peer.receive(data));
    return peer;
  }

  send(message: Fields): void {
    this.socket.send(framed(message));
  }

  /** Sends the items of a stream and its end, no faster than the network accepts them. */
  async stream(id: string, bytes: number): Promise<void> {
    const item = framed([MessageType.StreamItem, {}, id, Buffer.alloc(ITEM_SIZE, 7)]);
    for (let left = bytes; left > 0; left -= ITEM_SIZE) {
      const isWhole = left >= ITEM_SIZE;
      const frame = isWhole ? item : framed([MessageType.StreamItem, {}, id, Buffer.alloc(left, 7)]);
      const sent = new Promise<void>((resolve, reject) => {
        this.socket.send(frame, (error) => (error === undefined || error === null ? resolve() : reject(error)));
      });
      if (this.socket.bufferedAmount > HIGH_WATER_MARK) await sent;
    }
    this.send([MessageType.Completion, {}, id, RESULT_VOID]);
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private receive(data: Buffer): void {
    let start = 0;
    while (start < data.length) {
      let length = 0;
      let scale = 1;
      let byte: number;
      do {
        byte = data[start];
        length += (byte & 0x7f) * scale;
        scale *= 0x80;
        start += 1;
      } while (byte > 0x7f);
      this.onMessage(unpacker.unpack(data.subarray(start, start + length)) as Fields);
      start += length;
    }
  }
}

let agent: Peer;
let viewer: Peer;
let target: StreamTarget;

const calls = {
  async connect(argument: StreamTarget): Promise<void> {
    target = argument;
    agent = await Peer.connect(argument.url, '/hubs/agent');
    viewer = await Peer.connect(argument.viewerUrl ?? argument.url, '/hubs/viewer', { 'x-api-key': argument.apiKey });
    const registered = answerTo(agent, 'r');
    agent.send([MessageType.Invocation, {}, 'r', 'UpdateDevice', [messagePackReport(deviceIdOf(argument.device), argument.tenantId)], []]);
    await registered;
  },

  /** Uploads a file as the viewer and fetches it as the agent. Settles when the viewer gets its answer. */
  async upload(bytes: number): Promise<StreamResult> {
    let received = 0;
    agent.onMessage = ([type, , id, third, fourth]) => {
      if (type === MessageType.StreamItem) received += (third as Buffer).length;
      if (type === MessageType.Invocation && third === 'DownloadFileFromViewer') {
        askedBy = id;
        agent.send([MessageType.StreamInvocation, {}, 'g', 'GetFileStreamFromViewer', fourth, []]);
      }
      if (type === MessageType.Completion) agent.send([MessageType.Completion, {}, askedBy, RESULT_VALUE, SUCCESS]);
    };
    let askedBy: unknown;
    const measure = stopwatch();
    const answered = answerTo(viewer, 'u');
    const metadata = {
      DeviceId: deviceIdOf(target.device),
      TargetDirectory: '/',
      FileName: 'file',
      FileSize: bytes,
      ContentType: 'application/octet-stream',
      Overwrite: true,
    };
    viewer.send([MessageType.Invocation, {}, 'u', 'UploadFile', [metadata], ['s']]);
    await Promise.all([viewer.stream('s', bytes), answered]);
    return measure(received, bytes);
  },

  /** Sends a file as the agent to an HTTP client that downloads it. */
  async download({ bytes, path }: { readonly bytes: number; readonly path: string }): Promise<StreamResult> {
    const failed = new Promise<never>((_resolve, reject) => {
      agent.onMessage = ([type, , id, third, fourth]) => {
        if (type !== MessageType.Invocation || third !== 'UploadFileToViewer') return;
        const [{ StreamId: streamId }] = fourth as [{ readonly StreamId: string }];
        const file = { FileSize: bytes, FileDisplayName: 'file' };
        agent.send([MessageType.Completion, {}, id, RESULT_VALUE, { Value: file, ...SUCCESS }]);
        agent.send([MessageType.Invocation, {}, null, 'SendFileContentStream', [streamId], ['d']]);
        agent.stream('d', bytes).catch(reject);
      };
    });
    const measure = stopwatch();
    // A kept connection may have ended during a long upload.
    const options = { agent: false, headers: { 'x-api-key': target.apiKey } };
    const asked = httpRequest(new URL(path, target.viewerUrl ?? target.url), options);
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`The download was answered with ${response.statusCode}.`);
    let received = 0;
    response.on('data', (piece: Buffer) => {
      received += piece.length;
    });
    await Promise.race([once(response, 'end'), failed]);
    return measure(received, bytes);
  },

  async disconnect(): Promise<void> {
    await Promise.all([viewer.close(), agent.close()]);
  },
};

export type StreamCalls = typeof calls;
serveCalls(calls);

/** Settles when the call was answered with success. */
function answerTo(peer: Peer, callId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    peer.onMessage = ([type, , id, kind, result]) => {
      if (type !== MessageType.Completion || id !== callId) return;
      const isSuccess = kind === RESULT_VALUE && (result as { readonly IsSuccess?: boolean }).IsSuccess === true;
      if (isSuccess) resolve();
      else reject(new Error(`A call was answered with ${JSON.stringify(result)}.`));
    };
  });
}

function stopwatch(): (received: number, expected: number) => StreamResult {
  const started = performance.now();
  const cpu = process.cpuUsage();
  return (received, expected) => {
    if (received !== expected) throw new Error(`${received} of ${expected} bytes arrived.`);
    const { user, system } = process.cpuUsage(cpu);
    return { bytes: received, seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}

function framed(message: Fields): Buffer {
  const packed = packer.pack(message);
  const prefix: number[] = [];
  for (let rest = packed.length; ; rest = Math.floor(rest / 0x80)) {
    prefix.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) return Buffer.concat([Buffer.from(prefix), packed]);
  }
}
