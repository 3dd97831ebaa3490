import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';

/** A transfer that is under way. Always end it. */
export interface Transfer {
  /** Fires, with the answer as its reason, when the service stops before the transfer has ended. */
  readonly cut: AbortSignal;
  end(): void;
}

/** 503: the service stops, and the transfer has not ended within the time that it had. */
const stopping = (): DomainError => new DomainError(ErrorCode.Unavailable, 'The server is shutting down: the transfer was cut off.');

/** The transfers of files under way, with the hub connections that they need: a stop lets them end first. */
@Injectable()
export class Transfers {
  private readonly underWay = new Set<AbortController>();
  /** Number of transfers that need each hub connection, and the promise that resolves when none does. */
  private readonly needed = new Map<string, { count: number; readonly freed: Promise<void>; readonly free: () => void }>();

  constructor() {
    metrics
      .getMeter('transfers')
      .createObservableGauge('transfers.open', { unit: '{transfer}', description: 'Transfers of files under way.' })
      .addCallback((result) => result.observe(this.underWay.size));
  }

  get size(): number {
    return this.underWay.size;
  }

  /** Begins a transfer that needs these hub connections. */
  begin(...connectionIds: string[]): Transfer {
    const cut = new AbortController();
    this.underWay.add(cut);
    for (const id of connectionIds) this.need(id);
    return {
      cut: cut.signal,
      end: () => {
        if (this.underWay.delete(cut)) for (const id of connectionIds) this.release(id);
      },
    };
  }

  /** Settles when no transfer needs the hub connection; undefined when none does now. */
  untilFree(connectionId: string): Promise<void> | undefined {
    return this.needed.get(connectionId)?.freed;
  }

  /** Cuts off all that are under way, and returns their number. */
  cutOff(): number {
    const { size } = this;
    for (const cut of this.underWay) cut.abort(stopping());
    return size;
  }

  private need(connectionId: string): void {
    const known = this.needed.get(connectionId);
    if (known !== undefined) known.count += 1;
    else this.needed.set(connectionId, { count: 1, ...settleable() });
  }

  private release(connectionId: string): void {
    const known = this.needed.get(connectionId);
    if (known === undefined) return;
    known.count -= 1;
    if (known.count > 0) return;
    this.needed.delete(connectionId);
    known.free();
  }
}

function settleable(): { readonly freed: Promise<void>; readonly free: () => void } {
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => (free = resolve));
  return { freed, free };
}
