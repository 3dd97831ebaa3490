import type { Log } from './logs/log.js';

/** The clocks of this machine, in milliseconds. Tests replace them. */
export interface Clocks {
  /** Time since 1970, as the clock of the machine shows it. */
  wall(): number;
  /** Time since some moment, which nobody can set. */
  monotonic(): number;
}

export const SYSTEM_CLOCKS: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

const REQUEST_TIMEOUT_MS = 10_000;
/** A `Date` header leaves out the fraction of its second. */
const MEAN_FRACTION_MS = 500;
/** Error of the header and the answer's way, in milliseconds. A difference up to this counts as none. */
const PRECISION_MS = 2_000;

/**
 * Returns by how many milliseconds the clock of this machine is ahead of the server's, from the `Date` header of an answer; negative if it
 * is behind, undefined if the server gives no time.
 */
export async function clockOffset(serverUri: string, clocks: Clocks, signal: AbortSignal): Promise<number | undefined> {
  const asked = clocks.monotonic();
  const response = await fetch(new URL('/alive', serverUri), {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  const halfWay = (clocks.monotonic() - asked) / 2;
  const shown = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(shown) ? undefined : clocks.wall() - halfWay - (shown + MEAN_FRACTION_MS);
}

/** Explains a clock offset to the operator in a sentence, after the server refused a report for its time. */
export function describeOffset(offset: number | undefined): string {
  if (offset === undefined) return 'The time of the server is not known: compare the clocks.';
  const seconds = Math.round(Math.abs(offset) / 1000);
  if (Math.abs(offset) <= PRECISION_MS) {
    return 'The clock of this machine agrees with that of the server, so the server has a newer report: the clock was set back, or another agent reports this device.';
  }
  return `The clock of this machine is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} that of the server. Set it right.`;
}

/** Interval between two comparisons of the clocks, in milliseconds. */
const LOOK_MS = 1_000;
/** A change of the wall clock against the monotonic one that counts as setting it; a running clock is never corrected so fast. */
const STEP_MS = 1_000;
/** Shortest time to the next try, however often the clock is set. */
const SHORTEST_WAIT_MS = 5_000;
/** Time to the next try when nothing happens here: the clock of the server may have been the wrong one. */
const LONGEST_WAIT_MS = 60_000;

/** Waits for the clock to be set after the server has refused a report for its time. */
export class ClockWatch {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clocks: Clocks,
    private readonly log: Log,
    private readonly onDue: () => void,
  ) {}

  /** Calls `onDue` once: soon after the clock was set, at the latest after a minute. */
  start(): void {
    this.stop();
    const since = this.clocks.monotonic();
    const distance = this.clocks.wall() - since;
    this.timer = setInterval(() => {
      const now = this.clocks.monotonic();
      const change = this.clocks.wall() - now - distance;
      const wasSet = Math.abs(change) >= STEP_MS;
      if (now - since < (wasSet ? SHORTEST_WAIT_MS : LONGEST_WAIT_MS)) return;
      this.stop();
      if (wasSet) this.log.info(`The clock was set by ${Math.round(change / 1000)} s. The report is tried again.`);
      this.onDue();
    }, LOOK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
