import type { Server } from 'node:http';

import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Time-out of running requests when the service stops, in milliseconds. Container supervisors kill the process after 10 s. */
export const DRAIN_MS = 7_000;

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

  /** Takes no new connections from now on, and closes those that are there. Does nothing where the server does not listen. */
  begin(): void {
    this.close(this.adapterHost.httpAdapter.getHttpServer());
  }

  /** Closes a server in this way. */
  close(server: Server): void {
    // Closing a server that never listened emits no event.
    if (!server.listening) return;
    server.close();
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => {
      this.logger.warn('Cut off the requests that had not ended in time.');
      server.closeAllConnections();
    }, DRAIN_MS);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
  }
}
