import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';

import { SignalRHost } from '#libs/signalr/nest';

import { Transfers } from './devices/device-link/transfers.js';
import { RelayEndpoint } from './live/relay/relay-endpoint.js';
import { DRAIN_MS, RequestDrain } from './platform/http/connections/request-drain.js';
import { Readiness } from './system/health/readiness.js';

/** Time-out of transfers when the service stops, in milliseconds. The rest of the time is for the answers of those that are cut off. */
const TRANSFERS_MS = DRAIN_MS - 500;

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
  ) {}

  /** Tells balancers that this process is about to stop. */
  async onModuleDestroy(): Promise<void> {
    await this.readiness.drain();
  }

  /** Takes no new connections, and ends open ones: those without a transfer at once, the others after it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.requests.begin();
    const deadline = setTimeout(() => this.cutOff(), TRANSFERS_MS);
    await Promise.all([this.hubs.close(), this.relay.close(TRANSFERS_MS)]);
    clearTimeout(deadline);
  }

  private cutOff(): void {
    const cut = this.transfers.cutOff();
    if (cut > 0) this.logger.warn(`Cut off ${cut} ${cut === 1 ? 'transfer' : 'transfers'} of files that had not ended in time.`);
  }
}
