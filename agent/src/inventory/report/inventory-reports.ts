import { createHash } from 'node:crypto';

import { agentHub, DeviceInventoryDto, hubFailure, hubOk, type HubResult } from '#libs/contracts';
import type { HubLink } from '../../connection/hub-link.js';
import { messageOf } from '../../failures.js';
import type { Log } from '../../logs/log.js';
import type { InventoryReading } from './inventory-parts.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longest wait before the first report, at random: after an outage all agents of a server come back together. */
export const FIRST_WITHIN_MS = 30_000;
/**
 * Wait before another attempt, and as much again at random, when the server has too much to do or fails. After a report that lacks something,
 * it is as long at first, and doubled each time up to a day.
 */
export const AGAIN_AFTER_MS = 10 * 60 * 1000;
/** Words of servers about a method that they do not have. */
const NO_METHOD = /method does not exist/i;

/** Starts that are nearer to each other than this are one: clocks are set, and times rounded. */
const SAME_START_MS = 2 * 60 * 1000;

/** Parts of the agent that reports of the inventory need. */
export interface InventorySource {
  readonly link: Pick<HubLink, 'invoke'>;
  readonly log: Log;
  readonly firstWithinMs: number;
  readonly againAfterMs: number;
  deviceId(): string;
  /** Reads the inventory; undefined on systems that the agent knows nothing about. */
  read(): Promise<InventoryReading | undefined>;
}

/**
 * Reports the inventory of the device: after the start, once a day, and when the server asks. A server that does not know the method is
 * asked no more until the agent connects again.
 */
export class InventoryReports {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<HubResult> | undefined;
  private isOpen = false;
  /** The time from which another report is due. */
  private dueAt = 0;
  private partialInRow = 0;
  private bootedAt: DeviceInventoryDto['bootedAt'] = null;

  constructor(private readonly source: InventorySource) {}

  /** The server knows this device to be here. */
  open(): void {
    this.isOpen = true;
    const random = Math.random() * this.source.firstWithinMs;
    // A clock that was set back since must not put the report off for longer than a day.
    this.schedule(Math.max(random, Math.min(this.dueAt - Date.now(), DAY_MS)));
  }

  /** The connection has ended, or the agent stops. */
  close(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
  }

  /** Reads the inventory and reports it. Calls at the same time share one report. */
  async report(): Promise<HubResult> {
    this.running ??= this.send().finally(() => (this.running = undefined));
    return this.running;
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    if (!this.isOpen) return;
    this.timer = setTimeout(() => void this.report(), milliseconds);
    // A stopped agent ends without waiting for it.
    this.timer.unref();
  }

  private scheduleAgain(): void {
    this.schedule(this.source.againAfterMs * (1 + Math.random()));
  }

  /** The time of the start that was reported before, if it is the same one: systems calculate it, and not always to the same second. */
  private steady(bootedAt: DeviceInventoryDto['bootedAt']): DeviceInventoryDto['bootedAt'] {
    const difference = Math.abs((bootedAt?.toDate().getTime() ?? 0) - (this.bootedAt?.toDate().getTime() ?? 0));
    if (difference > SAME_START_MS) this.bootedAt = bootedAt;
    return this.bootedAt;
  }

  private async send(): Promise<HubResult> {
    const { source } = this;
    try {
      const reading = await source.read();
      if (reading === undefined) return hubFailure('The agent reads no inventory on this system.');
      const { inventory, isPartial } = reading;
      inventory.bootedAt = this.steady(inventory.bootedAt);
      const report = { deviceId: source.deviceId(), hash: hashOf(inventory), inventory: null };
      const offered = await source.link.invoke(agentHub.ReportInventory, [report]);
      const taken = offered.value === true ? await source.link.invoke(agentHub.ReportInventory, [{ ...report, inventory }]) : offered;
      if (!taken.isSuccess) {
        source.log.warn(`The server did not take the inventory: ${taken.reason ?? 'no reason given'}`);
        this.scheduleAgain();
        return hubFailure(taken.reason ?? '');
      }
      this.partialInRow = isPartial ? this.partialInRow + 1 : 0;
      const wait = isPartial ? Math.min(DAY_MS, source.againAfterMs * (1 + Math.random()) * 2 ** (this.partialInRow - 1)) : DAY_MS;
      this.dueAt = Date.now() + wait;
      this.schedule(wait);
      return hubOk();
    } catch (error) {
      if (NO_METHOD.test(messageOf(error))) clearTimeout(this.timer);
      else this.scheduleAgain();
      source.log.info(`The inventory was not reported: ${messageOf(error)}`);
      return hubFailure(messageOf(error));
    }
  }
}

/** A hash of an inventory, the same for the same inventory. */
function hashOf(inventory: DeviceInventoryDto): string {
  return createHash('sha256')
    .update(JSON.stringify(DeviceInventoryDto.encode(inventory, 'json')))
    .digest('base64url');
}
