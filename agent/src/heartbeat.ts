import { setTimeout as delay } from 'node:timers/promises';
import { agentHub, signedPayload, Timestamp, type DeviceUpdateRequestDto, type SignedDto } from '#libs/contracts';
import type { HubLink } from './connection/hub-link.js';
import type { DeviceKey } from './device-key.js';
import type { Log } from './logs/log.js';

export const DEFAULT_HEARTBEAT_SECONDS = 300;
const HEARTBEAT_TIMEOUT_MS = 60_000;
const TICKS_PER_SECOND = 10_000_000n;

/** What a heartbeat needs of the agent. */
export interface HeartbeatSource {
  readonly key: DeviceKey;
  readInventory(): Promise<DeviceUpdateRequestDto>;
  /** The server knows this device by another id: use it from now on. */
  adoptDeviceId(deviceId: string): Promise<void>;
  /** The server knows this device to be here. */
  onAccepted(): void;
}

/** Reports the device to the server, signed: at once when asked, and once in each period while started. */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private isNextWaiting = false;
  private readonly clock = new SigningClock();

  constructor(
    private readonly link: HubLink,
    private readonly source: HeartbeatSource,
    private readonly periodSeconds: number,
    private readonly log: Log,
  ) {}

  /** Sends a heartbeat now and then one in each period. */
  async start(): Promise<void> {
    this.stop();
    this.timer = setInterval(() => void this.beat(), this.periodSeconds * 1000);
    await this.beat();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Sends a heartbeat after the one that is in progress. Requests that arrive while one is waiting share that one. A failure is
   * logged; the next period tries again.
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
    }
  }

  private async report(): Promise<void> {
    const dto = await this.source.readInventory();
    const result = await this.link.invoke(agentHub.UpdateDeviceSigned, [await signUpdate(dto, this.source.key, this.clock.next())]);
    if (!result.isSuccess) {
      this.log.warn(`The server refused the heartbeat: ${result.reason ?? 'no reason given'}`);
      return;
    }
    this.source.onAccepted();
    if (result.value !== null && result.value.id !== dto.id) await this.source.adoptDeviceId(result.value.id);
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

/** Gives times that only grow, even within a millisecond: a server refuses an update that is not newer than the last one. */
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
