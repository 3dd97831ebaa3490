import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { RequestTurns } from './request-turns.js';

/**
 * How many requests of all connections may wait for an earlier one of their connection. One read of a socket can bring 1,800, each
 * of which takes some 4 KiB. A connection that brings more than this is cut off.
 */
export const MAXIMUM_PIPELINED = 10_000;

/**
 * Serves requests that a client sends before it has the answer to an earlier one: one after the other, as their answers have to
 * leave in their order anyway. Meanwhile nothing more is read from the connection, and after each answer all other connections
 * have their turn. The server's own listeners of requests see them only then.
 */
export function serveInTurn(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  const turns = new RequestTurns((request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  });
  const pipelines = new Pipelines(turns);
  server.on('request', (request, response) => {
    // The response to a request that was pipelined gets its socket when the one before it is done.
    if (response.socket === null) pipelines.hold(request, response);
    else turns.take(request, response);
  });
  // The new protocol would begin in the middle of answers.
  server.prependListener('upgrade', (request) => pipelines.cutOff(request.socket));
}

/** What one connection has waiting. */
interface Pipeline {
  length: number;
  /** Told when the connection is closed. */
  readonly forget: () => void;
}

/** The connections with requests that wait for an earlier one. */
class Pipelines {
  private readonly pipelines = new Map<Socket, Pipeline>();
  private held = 0;

  constructor(private readonly turns: RequestTurns) {}

  /** Has a request wait until those before it on its connection have been answered. */
  hold(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    if (this.held === MAXIMUM_PIPELINED) {
      socket.destroy();
      return;
    }
    const pipeline = this.pipelines.get(socket) ?? this.begin(socket);
    pipeline.length += 1;
    this.held += 1;
    response.once('socket', () => {
      // The connection may have been closed before its last answer was done.
      if (!this.pipelines.has(socket)) return;
      pipeline.length -= 1;
      this.held -= 1;
      if (pipeline.length === 0) this.end(socket, pipeline);
      this.turns.takeLater(request, response);
    });
  }

  /** Closes a connection if it has requests that wait. */
  cutOff(socket: Socket): void {
    if (this.pipelines.has(socket)) socket.destroy();
  }

  private begin(socket: Socket): Pipeline {
    const pipeline: Pipeline = {
      length: 0,
      forget: () => {
        this.held -= pipeline.length;
        this.pipelines.delete(socket);
      },
    };
    this.pipelines.set(socket, pipeline);
    socket.once('close', pipeline.forget);
    // Node resumes its sockets whenever a request was read. It keeps those that it paused itself from that in the same way.
    socket.on('resume', pause);
    socket.pause();
    return pipeline;
  }

  private end(socket: Socket, { forget }: Pipeline): void {
    socket.off('close', forget);
    forget();
    socket.off('resume', pause);
    socket.resume();
  }
}

function pause(this: Socket): void {
  this.pause();
}
