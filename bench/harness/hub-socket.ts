import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { WebSocket } from 'ws';

const RECORD_SEPARATOR = '\x1e';
const PING = `{"type":6}${RECORD_SEPARATOR}`;
/** Bytes that wait for the network, beyond which a flood waits, too. */
const MAXIMUM_UNSENT = 64 * 1024;
/** The hubs end connections that are silent for twice as long. */
const PING_INTERVAL_MS = 10_000;
/** Longer than a busy server takes. */
const NEGOTIATION_TIMEOUT_MS = 60_000;

const negotiations = new Agent({ keepAlive: true, maxSockets: 64 });
const open = new Set<HubSocket>();
setInterval(() => {
  for (const socket of open) socket.send(PING);
}, PING_INTERVAL_MS).unref();

/**
 * The smallest client that a hub accepts, for loads in JSON: negotiates, does the handshake, and passes on each record
 * as text. It parses nothing, so the load costs less than the server.
 */
export class HubSocket {
  /** Called with each record, without its end mark. */
  onRecord: (record: string) => void = () => undefined;
  /** Called when the connection has ended. */
  onClose: () => void = () => undefined;

  private constructor(
    private readonly socket: WebSocket,
    /** The id by which the server and other clients know the connection. */
    readonly connectionId: string,
  ) {}

  /** Connects to the hub at `path` of the server at `url`. */
  static async connect(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<HubSocket> {
    const { connectionToken, connectionId } = await negotiate(new URL(`${path}/negotiate?negotiateVersion=1`, url), headers);
    const address = new URL(`${path}?id=${encodeURIComponent(connectionToken)}`, url);
    address.protocol = 'ws:';
    const socket = new WebSocket(address, { headers, perMessageDeflate: false });
    const ended = new AbortController();
    const { signal } = ended;
    socket.once('close', () => ended.abort());
    socket.on('error', () => undefined);
    await once(socket, 'open', { signal });
    socket.send(`{"protocol":"json","version":1}${RECORD_SEPARATOR}`);
    const [answer] = (await once(socket, 'message', { signal })) as [Buffer];
    if (answer.toString() !== `{}${RECORD_SEPARATOR}`) throw new Error(`The handshake was answered with ${answer.toString()}`);
    const hubSocket = new HubSocket(socket, connectionId);
    socket.on('message', (data: Buffer) => hubSocket.receive(data));
    socket.on('error', (error) => process.stderr.write(`A connection of the load broke: ${error.message}\n`));
    socket.once('close', () => {
      open.delete(hubSocket);
      hubSocket.onClose();
    });
    open.add(hubSocket);
    return hubSocket;
  }

  /** Sends one or more records, including their end marks. */
  send(records: string | Buffer): void {
    this.socket.send(records, { binary: false });
  }

  /** Sends frames without any message, as many as the network takes without waiting. */
  sendNothing(kind: 'empty frames' | 'pings'): void {
    while (this.socket.readyState === WebSocket.OPEN && this.socket.bufferedAmount < MAXIMUM_UNSENT) {
      if (kind === 'pings') this.socket.ping();
      else this.socket.send('');
    }
  }

  /** Reads nothing from now on: the server's messages wait with it. Such a connection can only be cut off. */
  stall(): void {
    this.socket.pause();
  }

  /** Ends the connection without a word. */
  cutOff(): void {
    this.socket.terminate();
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  /** Cuts the connection without closing it, as when a network breaks. */
  cut(): void {
    this.socket.terminate();
  }

  private receive(data: Buffer): void {
    // One byte per character is faster than UTF-8, and the searched text is ASCII.
    const records = data.toString('latin1');
    let start = 0;
    for (let end = records.indexOf(RECORD_SEPARATOR); end !== -1; end = records.indexOf(RECORD_SEPARATOR, start)) {
      this.onRecord(records.slice(start, end));
      start = end + 1;
    }
  }
}

/** A call as a record; `args` is the JSON of the list of arguments. */
export function invocation(id: string, target: string, args: string): string {
  return `{"type":1,"invocationId":"${id}","target":"${target}","arguments":${args}}${RECORD_SEPARATOR}`;
}

/** An answer to a call of the server. */
export function completion(id: string, result: string): string {
  return `{"type":3,"invocationId":"${id}","result":${result}}${RECORD_SEPARATOR}`;
}

const COMPLETION_START = '{"type":3,"invocationId":"';
const INVOCATION_START = '{"type":1,"invocationId":"';

/** The id of the call that the record answers; undefined for other records. */
export function completionIdOf(record: string): string | undefined {
  return idBehind(COMPLETION_START, record);
}

/** The id of a server call that expects an answer. */
export function invocationIdOf(record: string): string | undefined {
  return idBehind(INVOCATION_START, record);
}

/** Returns true if an answer is a successful HubResult. */
export function isSuccess(record: string): boolean {
  return record.includes('"isSuccess":true');
}

function idBehind(start: string, record: string): string | undefined {
  return record.startsWith(start) ? record.slice(start.length, record.indexOf('"', start.length)) : undefined;
}

interface Negotiated {
  readonly connectionToken: string;
  readonly connectionId: string;
}

async function negotiate(address: URL, headers: Readonly<Record<string, string>>): Promise<Negotiated> {
  const asked = request(address, { method: 'POST', agent: negotiations, headers: { ...headers, 'Content-Length': 0 } });
  asked.setTimeout(NEGOTIATION_TIMEOUT_MS, () => asked.destroy(new Error('Negotiate was not answered in time.')));
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`Negotiate was answered with ${response.statusCode}: ${body}`);
  return JSON.parse(body) as Negotiated;
}
