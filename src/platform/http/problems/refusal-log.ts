import { Injectable, Logger } from '@nestjs/common';

import { BoundedMap } from '../../common/collections/bounded-map.js';
import { ErrorCode, type DomainError } from '../../common/errors/errors.js';
import { Clock } from '../../common/runtime/clock.js';

/** Time for which the refusals of one source are not logged again, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** Sources that are kept; beyond, the one that was logged longest ago is forgotten and may be logged again. */
const MAXIMUM_SOURCES = 10_000;

const LOGGED: readonly ErrorCode[] = [ErrorCode.Unauthorized, ErrorCode.Forbidden, ErrorCode.TooManyRequests];

/** Log entry of a refused caller. */
export interface RefusedCall {
  /** The refused caller: the id of a principal, or the address block of a caller that did not authenticate. */
  readonly source: string;
  readonly [member: string]: unknown;
}

interface Window {
  readonly ends: number;
  /** Refusals since the one that was logged. */
  further: number;
}

/** Logs failed authentications and refusals, each source once in a window: a flood of them must not fill the log. */
@Injectable()
export class RefusalLog {
  private readonly logger = new Logger('Refusals');
  private readonly windows = new BoundedMap<string, Window>(MAXIMUM_SOURCES);

  constructor(private readonly clock: Clock) {}

  /** Logs a refused call as {@link log} does. Errors of other kinds are ignored. */
  note({ code, message }: DomainError, call: RefusedCall): void {
    if (LOGGED.includes(code))
      this.log(code === ErrorCode.Unauthorized ? 'An authentication failed.' : 'A call was refused.', message, call);
  }

  /** Logs a refusal with its reason, unless one of that kind and source was logged in the window. */
  log(what: string, reason: string, call: RefusedCall): void {
    const key = `${what} ${call.source}`;
    const now = this.clock.milliseconds();
    const known = this.windows.get(key);
    if (known !== undefined && now < known.ends) {
      known.further += 1;
      return;
    }
    this.windows.delete(key);
    this.windows.set(key, { ends: now + WINDOW_MS, further: 0 });
    const unlogged = known === undefined || known.further === 0 ? {} : { furtherInTheLastWindow: known.further };
    this.logger.warn({ message: what, reason, ...call, ...unlogged });
  }
}
