import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { TestApp } from '../support/app.js';

/** The open WebSockets below a path, as the server holds them from now on: a test cuts a line by destroying one. */
export function socketsAt({ app }: TestApp, path: string): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  const server: Server = app.getHttpServer();
  server.on('upgrade', ({ url }, socket) => {
    if (url?.startsWith(path) === true) sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  return sockets;
}
