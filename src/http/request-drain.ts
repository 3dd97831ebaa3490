import type { Server } from 'node:http';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** How long requests that run when the service is asked to stop may take to finish: supervisors of containers kill after 10 s. */
export const DRAIN_MS = 7_000;

/** How often connections are looked for whose last request has been answered. */
const SWEEP_MS = 50;

/**
 * Lets running requests finish when the service stops. The framework closes the server after this, which waits for every
 * connection: those that fall idle meanwhile would be kept for the next request, and those that never finish for ever.
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
    // A server that never listened closes without a word.
    sweep.unref();
    deadline.unref();
  }
}
