import { setTimeout as delay } from 'node:timers/promises';
import { agentHub, signedPayload, Timestamp, type DeviceUpdateRequestDto, type SignedDto } from '#libs/contracts';
import { clockOffset, ClockWatch, describeOffset, type Clocks } from './clock.js';
import type { HubLink } from './connection/hub-link.js';
import type { DeviceKey } from './device-key.js';
import { messageOf } from './failures.js';
import type { Log } from './logs/log.js';

export const DEFAULT_HEARTBEAT_SECONDS = 300;
const HEARTBEAT_TIMEOUT_MS = 60_000;
/** The reason of a server that refuses a report for its time, in the words of the contract. */
const STALE = 'Timestamp expired.';
/** The reason of a server that could not store a report. The next one may be stored. */
const NOT_STORED = 'An error occurred while updating the device.';
const TICKS_PER_SECOND = 10_000_000n;

/** Parts of the agent that a heartbeat needs. */
export interface HeartbeatSource {
  readonly key: DeviceKey;
  readonly clocks: Clocks;
  readonly serverUri: string;
  /** Fires when the agent stops. */
  readonly stopped: AbortSignal;
  readInventory(): Promise<DeviceUpdateRequestDto>;
  /** The server knows this device by another id: use it from now on. */
  adoptDeviceId(deviceId: string): Promise<void>;
  /** The server knows this device to be here. */
  onAccepted(): void;
  /** The server has refused a report. `isJudged` is false if it could not store the report, or a clock is wrong. */
  onRefused(isJudged: boolean): void;
}

/** Times between heartbeats. */
export interface HeartbeatTimes {
  readonly periodSeconds: number;
  /** Milliseconds to wait after so many failures in a row. */
  retryDelay(failures: number): number;
}

/**
 * Reports the device to the server, signed: at once when asked, and once in each period while started. A report that the server has not
 * stored is made again sooner, because the device counts as offline until then.
 */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  /** Reports in a row that were not stored. */
  private failures = 0;
  private last: Promise<void> = Promise.resolve();
  private isNextWaiting = false;
  private isStarted = false;
  private readonly clock: SigningClock;
  private readonly clockWatch: ClockWatch;

  constructor(
    private readonly link: HubLink,
    private readonly source: HeartbeatSource,
    private readonly times: HeartbeatTimes,
    private readonly log: Log,
  ) {
    this.clock = new SigningClock(() => new Date(source.clocks.wall()));
    this.clockWatch = new ClockWatch(source.clocks, log, () => void this.beat());
  }

  /** Sends a heartbeat now and then one in each period. */
  async start(): Promise<void> {
    this.stop();
    this.isStarted = true;
    this.timer = setInterval(() => void this.beat(), this.times.periodSeconds * 1000);
    await this.beat();
  }

  stop(): void {
    this.isStarted = false;
    clearInterval(this.timer);
    this.endFailures();
    this.clockWatch.stop();
  }

  /**
   * Sends a heartbeat after the one that is in progress. Requests that arrive while one is waiting share that one. A failure is
   * logged, and another heartbeat follows.
   */
  async beat(): Promise<void> {
    if (!this.isNextWaiting) {
      this.isNextWaiting = true;
      this.last = this.last.then(async () => {
        this.isNextWaiting = false;
        await this.send();
      });
    }
    await this.last;
  }

  private async send(): Promise<void> {
    try {
      await inTime(this.report());
    } catch (error) {
      this.log.error('The heartbeat could not be sent.', error);
      this.tryAgain();
    }
  }

  /** Sends another heartbeat after a wait that grows with each failure, up to the period. */
  private tryAgain(): void {
    if (!this.isStarted) return;
    this.failures += 1;
    clearTimeout(this.retry);
    const delayMs = Math.min(this.times.retryDelay(this.failures), this.times.periodSeconds * 1000);
    this.retry = setTimeout(() => void this.beat(), delayMs);
  }

  private endFailures(): void {
    this.failures = 0;
    clearTimeout(this.retry);
  }

  private async report(): Promise<void> {
    const dto = await this.source.readInventory();
    const result = await this.link.invoke(agentHub.UpdateDeviceSigned, [await signUpdate(dto, this.source.key, this.clock.next())]);
    if (!result.isSuccess) {
      await this.onRefused(result.reason ?? 'no reason given');
      return;
    }
    this.endFailures();
    this.clockWatch.stop();
    this.source.onAccepted();
    if (result.value !== null && result.value.id !== dto.id) await this.source.adoptDeviceId(result.value.id);
  }

  /**
   * A refusal for its time is tried again when the clock has been set. The server does not say how far it is off, so it is measured. Other
   * refusals last until the device is changed on the server.
   */
  private async onRefused(reason: string): Promise<void> {
    this.source.onRefused(reason !== NOT_STORED && reason !== STALE);
    if (reason === NOT_STORED) throw new Error(`The server says: ${reason}`);
    this.endFailures();
    if (reason !== STALE) {
      this.log.warn(`The server refused the heartbeat: ${reason}`);
      return;
    }
    // Before the measurement, which may fail or take long.
    if (this.isStarted) this.clockWatch.start();
    const { serverUri, clocks, stopped } = this.source;
    const offset = await clockOffset(serverUri, clocks, stopped).catch((error: unknown) => {
      this.log.warn(`The server could not be asked for its time: ${messageOf(error)}`);
      return undefined;
    });
    this.log.warn(`The server refused the heartbeat: ${reason} ${describeOffset(offset)}`);
  }
}

/** Time limit of one heartbeat. A system command that hangs or a silent server must not stop heartbeats for good. */
async function inTime(work: Promise<void>): Promise<void> {
  const deadline = new AbortController();
  const tooLate = delay(HEARTBEAT_TIMEOUT_MS, undefined, { signal: deadline.signal }).then(() => {
    throw new Error('It took longer than a minute.');
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    deadline.abort();
    await tooLate.catch(() => undefined);
  }
}

/** The update in its signed envelope. */
export async function signUpdate(
  dto: DeviceUpdateRequestDto,
  key: DeviceKey,
  timestamp: Timestamp,
): Promise<SignedDto<DeviceUpdateRequestDto>> {
  const signature = await key.sign(signedPayload(dto, timestamp, key.publicKey));
  return { dto, timestamp, signature, publicKey: key.publicKey };
}

/** Clock whose times only grow, even within a millisecond: a server refuses an update that is not newer than the last one. */
export class SigningClock {
  private lastTicks = 0n;

  constructor(private readonly now: () => Date = () => new Date()) {}

  next(): Timestamp {
    const current = Timestamp.fromDate(this.now());
    // After a clock was set back, its new time is used. Otherwise the agent would sign times in the future.
    const steppedBack = this.lastTicks - current.ticks > TICKS_PER_SECOND;
    const next = steppedBack || current.ticks > this.lastTicks ? current : Timestamp.fromTicks(this.lastTicks + 1n);
    this.lastTicks = (next ?? current).ticks;
    return next ?? current;
  }
}
