import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';

import { SignalRHost } from '#libs/signalr/nest';

import { Transfers } from './devices/device-link/transfers.js';
import { RelayEndpoint } from './live/relay/relay-endpoint.js';
import { RequestDrain } from './platform/http/connections/request-drain.js';
import { DrainTimes, REQUESTS_MS } from './platform/node/drain-times.js';
import { Readiness } from './system/health/readiness.js';

/**
 * First steps of a stop. They belong to the module that imports all others, whose hooks run before theirs: while transfers end, all that
 * they need still serves.
 */
@Injectable()
export class ServiceStop implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('ServiceStop');

  constructor(
    private readonly readiness: Readiness,
    private readonly requests: RequestDrain,
    private readonly transfers: Transfers,
    private readonly hubs: SignalRHost,
    private readonly relay: RelayEndpoint,
    private readonly times: DrainTimes,
  ) {}

  /** Tells balancers that this process is about to stop, and still serves until they know. */
  async onModuleDestroy(): Promise<void> {
    const { delayMs, spreadMs } = this.times;
    if (delayMs > 0) {
      const facts = { connections: this.hubs.size, delaySeconds: delayMs / 1_000, drainSeconds: spreadMs / 1_000 };
      this.logger.log({
        message: 'This node is about to stop: it serves until balancers know, and then lets its hub connections go.',
        ...facts,
      });
    }
    this.requests.announce();
    await this.readiness.drain();
  }

  /**
   * Ends open connections: those without a transfer in their turn, the others after it. Takes no new ones from the beginning, or, among
   * several processes, from the end on.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const { transfersMs, listensOn } = this.times;
    if (!listensOn) this.requests.begin(REQUESTS_MS);
    const deadline = setTimeout(() => this.cutOff(), transfersMs);
    await Promise.all([this.hubs.close(), this.relay.close(transfersMs)]);
    clearTimeout(deadline);
    if (listensOn) this.requests.begin(REQUESTS_MS);
  }

  private cutOff(): void {
    const cut = this.transfers.cutOff();
    if (cut > 0) this.logger.warn(`Cut off ${cut} ${cut === 1 ? 'transfer' : 'transfers'} of files that had not ended in time.`);
  }
}
