import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Interval, in milliseconds, at which idle connections are looked for and closed. */
const SWEEP_MS = 50;

/**
 * Lets running requests finish when the service stops. Later the framework waits for every connection. This class takes no new ones,
 * closes those that become idle and, at the deadline, those that never finish.
 */
@Injectable()
export class RequestDrain {
  private readonly logger = new Logger('RequestDrain');

  private readonly others: Server[] = [];

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** Another server than the public one is going to end with this process. */
  add(server: Server): void {
    this.others.push(server);
  }

  /**
   * Asks clients to close their connections with the next answer. A balancer that keeps one could otherwise send a request at the moment at
   * which it is closed, and nobody would know whether that was read.
   */
  announce(): void {
    const closeAfter = (_request: IncomingMessage, response: ServerResponse): void => void (response.shouldKeepAlive = false);
    for (const server of [this.adapterHost.httpAdapter.getHttpServer() as Server, ...this.others]) {
      for (const event of ['request', 'checkContinue']) {
        // A listener makes that event the only one of its request.
        if (server.listenerCount(event) > 0) server.prependListener(event, closeAfter);
      }
    }
  }

  /**
   * Takes no new connections from now on, and closes those that are there, within so many milliseconds. Does nothing where the server does
   * not listen.
   */
  begin(withinMs: number): void {
    this.close(this.adapterHost.httpAdapter.getHttpServer(), withinMs);
  }

  /** Closes a server in this way. */
  close(server: Server, withinMs: number): void {
    // Closing a server that never listened emits no event.
    if (!server.listening) return;
    server.close();
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => {
      this.logger.warn('Cut off the requests that had not ended in time.');
      server.closeAllConnections();
    }, withinMs);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
  }
}
