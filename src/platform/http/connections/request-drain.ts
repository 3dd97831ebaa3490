import type { Server } from 'node:http';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** How long running requests may take to finish when the service stops. Container supervisors kill the process after 10 s. */
export const DRAIN_MS = 7_000;

/** How often idle connections are looked for and closed. */
const SWEEP_MS = 50;

/**
 * Lets running requests finish when the service stops. Afterwards the framework closes the server, which waits for
 * every connection. This class closes connections that become idle and, at the deadline, those that never finish.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  beforeApplicationShutdown(): void {
    const server: Server = this.adapterHost.httpAdapter.getHttpServer();
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
    // Closing a server that never listened emits no event, so the timers must not keep the process alive.
    sweep.unref();
    deadline.unref();
  }
}
