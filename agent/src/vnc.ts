import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { hubFailure, hubOk, type HubResult, type VncSessionRequestDto } from '#libs/contracts';
import { messageOf, RefusedError } from './failures.js';
import type { Log } from './logs/log.js';
import { isLoopback } from './settings.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Time limit of the relay's answer: it comes when the other side has connected, or after 30 s. */
const RELAY_TIMEOUT_MS = 35_000;
const MAX_MESSAGE_BYTES = 65_535;
const MAX_RECEIVED_BYTES = 16 * 1024 * 1024;

/** Whether something listens on the port of the loopback interface. */
export async function testVncConnection(port: number): Promise<HubResult> {
  try {
    const socket = await dialLoopback(port);
    socket.destroy();
    return hubOk();
  } catch (error) {
    return hubFailure(messageOf(error));
  }
}

/**
 * Connects a local VNC server with the relay. Resolves when the local server has answered. Bytes are then piped in the background
 * until either side ends or the signal fires. `isHttpAllowed` permits a relay on another machine without encryption.
 */
export async function startVncSession(dto: VncSessionRequestDto, log: Log, signal: AbortSignal, isHttpAllowed: boolean): Promise<void> {
  const relayUri = parseRelayUri(dto.websocketUri, isHttpAllowed);
  const local = await dialLoopback(dto.port);
  void pipeThroughRelay(local, relayUri, signal, log).then(
    () => log.info(`VNC session ${dto.sessionId} ended.`),
    (error: unknown) => log.error(`VNC session ${dto.sessionId} failed.`, error),
  );
}

function parseRelayUri(text: string, isHttpAllowed: boolean): URL {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !['ws:', 'wss:'].includes(uri.protocol)) throw new RefusedError('The relay address must be a ws or wss URI.');
  if (uri.protocol === 'ws:' && !isHttpAllowed && !isLoopback(uri.hostname)) {
    throw new RefusedError('The relay address must be a wss URI: the settings of this agent do not allow plain http.');
  }
  return uri;
}

async function dialLoopback(port: number): Promise<Socket> {
  if (port < 1 || port > 65_535) throw new RefusedError('The port must be between 1 and 65535.');
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new RefusedError(`Could not connect to port ${port} of the device: ${messageOf(error)}`);
  }
}

async function pipeThroughRelay(local: Socket, relayUri: URL, signal: AbortSignal, log: Log): Promise<void> {
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
  relay.once('close', end);
  relay.on('message', (data) => {
    if (local.write(toBytes(data))) return;
    relay.pause();
    local.once('drain', () => relay.resume());
  });
  // Kept until the relay is connected, because a VNC server speaks first.
  local.pause();
  try {
    await once(relay, 'open');
    await forward(local, relay);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Sends local bytes to the relay message by message. The local socket is not read while a message is being sent. */
async function forward(local: Socket, relay: WebSocket): Promise<void> {
  for await (const chunk of local) {
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
