import { WebSocket } from 'ws';

/** Times of the looks for signs of life. */
export interface LookTimes {
  /** Interval of the looks, in milliseconds. */
  readonly lookMs: number;
  /** Looks in a row without a sign of life after which a line is dead. */
  readonly looksUntilDead: number;
}

/**
 * Looks for signs of life of an open socket, for which it asks by pings, and calls `dead` once if there are none. Intervals are counted, not
 * time, so that a busy machine ends no session. A socket that is paused cannot show that it lives.
 */
export function watchLife(socket: WebSocket, { lookMs, looksUntilDead }: LookTimes, dead: () => void): void {
  let silentLooks = 0;
  for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, () => (silentLooks = 0));
  const timer = setInterval(() => {
    silentLooks = socket.isPaused ? 0 : silentLooks + 1;
    if (silentLooks <= looksUntilDead) {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
      return;
    }
    clearInterval(timer);
    dead();
  }, lookMs);
  socket.once('close', () => clearInterval(timer));
}
