import { once, setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import type { VncSessionRequestDto } from '#libs/contracts';
import { watchLife, type LookTimes } from './connection/signs-of-life.js';
import { messageOf, RefusedError } from './failures.js';
import type { Log } from './logs/log.js';
import { ownRelayUri } from './relay-uri.js';
import { SettingsError, type AgentSettings } from './settings.js';
import { USUAL_VNC_PORTS, VncPorts } from './vnc-ports.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Time limit of the relay's answer: it comes when the other side has connected, or after 30 s. */
const RELAY_TIMEOUT_MS = 35_000;
const MAX_MESSAGE_BYTES = 65_535;
/** The other side has left, or the server stops. */
const ORDERLY_CLOSE_CODES: readonly number[] = [1000, 1001];
const MAX_RECEIVED_BYTES = 16 * 1024 * 1024;
/** Most sessions. */
const MAX_SESSIONS = 50;
/** A relay does not read while its other side is slow, and shows no sign of life then. It gives up after the same two minutes. */
const LOOKS = { lookMs: 15_000, looksUntilDead: 8 };

/** VNC sessions: each connects a VNC server of this device with the relay of the agent's own server. */
export class VncSessions {
  private readonly serverUri: string;
  private readonly ports: VncPorts;
  private running = 0;

  constructor(
    { serverUri, vncPorts = USUAL_VNC_PORTS }: Pick<AgentSettings, 'serverUri' | 'vncPorts'>,
    private readonly log: Log,
    /** Fires when the agent stops. */
    private readonly stopped: AbortSignal,
    private readonly looks: LookTimes = LOOKS,
  ) {
    const ports = VncPorts.parse(vncPorts);
    if (ports === undefined) throw new SettingsError(`vncPorts must be ports and ranges such as "5900-5909,6001", not "${vncPorts}".`);
    // Each session has a listener.
    setMaxListeners(0, stopped);
    this.serverUri = serverUri;
    this.ports = ports;
  }

  /** Checks that something listens on the port. @throws RefusedError when nothing does, or the settings do not allow the port */
  async test(port: number): Promise<void> {
    (await this.dial(port)).destroy();
  }

  /**
   * Begins a session. Resolves when the VNC server has answered. Bytes are then passed on in the background until either side ends or the
   * agent stops. The relay is always that of the agent's own server, whatever host the request names.
   * @throws RefusedError for an address outside the relay, a port that the settings do not allow, a server that does not answer, and too
   * many sessions
   */
  async start({ sessionId, websocketUri, port }: VncSessionRequestDto): Promise<void> {
    const relayUri = ownRelayUri(websocketUri, this.serverUri);
    if (this.running >= MAX_SESSIONS) throw new RefusedError(`The device has ${MAX_SESSIONS} VNC sessions, and takes no more.`);
    this.running += 1;
    let local: Socket;
    try {
      local = await this.dial(port);
    } catch (error) {
      this.running -= 1;
      throw error;
    }
    void this.carry(local, relayUri, sessionId);
  }

  private async carry(local: Socket, relayUri: URL, sessionId: string): Promise<void> {
    try {
      await pipeThroughRelay(local, relayUri, { log: this.log, signal: this.stopped, looks: this.looks });
      this.log.info(`VNC session ${sessionId} ended.`);
    } catch (error) {
      this.log.error(`VNC session ${sessionId} failed.`, error);
    } finally {
      this.running -= 1;
    }
  }

  private dial(port: number): Promise<Socket> {
    if (!this.ports.allow(port)) {
      throw new RefusedError(`The settings of this agent do not allow VNC on port ${port}, only on ${this.ports.toString()} (vncPorts).`);
    }
    return dialLoopback(port);
  }
}

async function dialLoopback(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new RefusedError(`Could not connect to port ${port} of the device: ${messageOf(error)}`);
  }
}

interface PipeServices {
  readonly log: Log;
  /** Fires when the agent stops. */
  readonly signal: AbortSignal;
  readonly looks: LookTimes;
}

async function pipeThroughRelay(local: Socket, relayUri: URL, { log, signal, looks }: PipeServices): Promise<void> {
  const relay = new WebSocket(relayUri, { perMessageDeflate: false, handshakeTimeout: RELAY_TIMEOUT_MS, maxPayload: MAX_RECEIVED_BYTES });
  const end = (): void => {
    local.destroy();
    relay.close(1000);
  };
  signal.addEventListener('abort', end, { once: true });
  local.once('close', end);
  // The close event that follows an error ends the session. Without a listener the error would end the agent.
  local.on('error', (error) => log.warn(`VNC server: ${error.message}`));
  relay.on('error', (error) => log.warn(`VNC relay: ${error.message}`));
  const closed = new Promise<number>((resolve) => relay.once('close', resolve));
  void closed.then(end);
  relay.on('message', (data) => {
    // Messages that have come with the one before are passed on also while it is paused.
    if (local.write(toBytes(data)) || relay.isPaused) return;
    relay.pause();
    local.once('drain', () => relay.resume());
  });
  // Kept until the relay is connected, because a VNC server speaks first.
  local.pause();
  try {
    await once(relay, 'open');
    watchLife(relay, looks, () => {
      log.warn('VNC relay: The line to the server is dead.');
      relay.terminate();
    });
    await forward(local, relay);
  } catch (error) {
    // When the agent stops, or the other side ends the session, the local socket is cut off while it is read. A relay that is closing takes
    // no more bytes, and tells only once it has closed whether that was in order.
    if (signal.aborted) return;
    if (local.errored !== null || !ORDERLY_CLOSE_CODES.includes(await closed)) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Sends local bytes to the relay message by message. The local socket is not read while a message is being sent. */
async function forward(local: Socket, relay: WebSocket): Promise<void> {
  // The caller ends the socket. The iterator would do it with an error, which would look as one of the VNC server.
  for await (const chunk of local.iterator({ destroyOnReturn: false })) {
    const bytes = toBytes(chunk);
    for (let start = 0; start < bytes.length; start += MAX_MESSAGE_BYTES) {
      await new Promise<void>((resolve, reject) => {
        relay.send(bytes.subarray(start, start + MAX_MESSAGE_BYTES), { binary: true }, (error) =>
          error == null ? resolve() : reject(error),
        );
      });
    }
  }
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
