import type { Server } from 'node:http';

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

  constructor(private readonly adapterHost: HttpAdapterHost) {}

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
