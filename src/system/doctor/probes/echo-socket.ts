import { WebSocket } from 'ws';

import { ECHO_PATH, ECHO_TOKEN_HEADER } from '../echo/echo-token.js';

const OPEN_TIMEOUT_MS = 10_000;
/** Time for an answer beyond the silence, in milliseconds. */
const ANSWER_MS = 10_000;

/** Course of a WebSocket through the proxy. */
export type SocketCourse =
  { readonly kind: 'Open' } | { readonly kind: 'Refused'; readonly reason: string } | { readonly kind: 'Cut'; readonly afterMs: number };

/** Opens a WebSocket and waits for the answer after a silence. */
export function echoSocket(publicUrl: URL, token: string, silenceMs: number): Promise<SocketCourse> {
  const address = new URL(ECHO_PATH, publicUrl);
  address.protocol = publicUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve) => {
    const socket = new WebSocket(address, {
      headers: { [ECHO_TOKEN_HEADER]: token },
      rejectUnauthorized: false,
      perMessageDeflate: false,
      handshakeTimeout: OPEN_TIMEOUT_MS,
    });
    let openedAt: number | null = null;
    let timer: NodeJS.Timeout | undefined;
    const end = (course: SocketCourse): void => {
      clearTimeout(timer);
      socket.terminate();
      resolve(course);
    };
    const broken = (reason: string): void =>
      end(openedAt === null ? { kind: 'Refused', reason } : { kind: 'Cut', afterMs: performance.now() - openedAt });
    socket.on('unexpected-response', (_request, response) => broken(`it was answered ${response.statusCode ?? 0}`));
    socket.on('error', (error) => broken(error.message));
    socket.on('close', () => broken('the connection was closed'));
    socket.on('open', () => {
      openedAt = performance.now();
      timer = setTimeout(() => broken('no answer came'), silenceMs + ANSWER_MS);
      socket.send(String(silenceMs));
    });
    socket.on('message', () => end({ kind: 'Open' }));
  });
}
