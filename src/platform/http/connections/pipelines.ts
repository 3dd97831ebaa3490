import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests of all connections that wait for an earlier one of their connection. Each takes some 4 KiB. */
const MAXIMUM_PIPELINED = 10_000;
/** Maximum number of connections that have such requests. Each takes up to 128 KiB for what is not read yet. */
export const MAXIMUM_PIPELINES = 500;

/** Waiting requests of one connection. */
interface Pipeline {
  length: number;
  /** Called when the connection is closed. */
  readonly forget: () => void;
}

/** The requests that wait for an earlier one of their connection. A connection that brings too many of them is cut off. */
export class Pipelines {
  private readonly pipelines = new Map<Socket, Pipeline>();
  private held = 0;

  /** Checks whether the connection has requests that wait. */
  has(socket: Socket): boolean {
    return this.pipelines.has(socket);
  }

  /** Has a request wait until those before it on its connection have been answered. */
  hold(socket: Socket, response: ServerResponse, begin: () => void): void {
    if (socket.destroyed) return;
    const pipeline = this.pipelines.get(socket) ?? this.start(socket);
    if (pipeline === undefined || this.held === MAXIMUM_PIPELINED) {
      socket.destroy();
      return;
    }
    pipeline.length += 1;
    this.held += 1;
    response.once('socket', () => {
      // The connection may have been closed before its last answer was done.
      if (!this.pipelines.has(socket)) return;
      pipeline.length -= 1;
      this.held -= 1;
      if (pipeline.length === 0) this.end(socket, pipeline);
      begin();
    });
  }

  private start(socket: Socket): Pipeline | undefined {
    if (this.pipelines.size === MAXIMUM_PIPELINES) return undefined;
    const pipeline: Pipeline = {
      length: 0,
      forget: () => {
        this.held -= pipeline.length;
        this.pipelines.delete(socket);
      },
    };
    this.pipelines.set(socket, pipeline);
    socket.once('close', pipeline.forget);
    return pipeline;
  }

  private end(socket: Socket, { forget }: Pipeline): void {
    socket.off('close', forget);
    forget();
  }
}
