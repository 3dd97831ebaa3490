import { agentClient } from '#libs/contracts';
import type { HubConnection } from '#libs/signalr';

/** Longest wait before a report is asked for again, in milliseconds, without its share of chance. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Asks an agent for another report after one that could not be stored. By itself the agent makes its next one after minutes, and until then
 * its device counts as offline.
 */
export class ReportRequests {
  /** Reports in a row that could not be stored. */
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly connection: Pick<HubConnection, 'isOpen' | 'send'>) {}

  /** A report could not be stored. */
  failed(): void {
    this.failures += 1;
    this.timer ??= setTimeout(() => this.ask(), waitAfter(this.failures)).unref();
  }

  /** A report was stored: nothing needs to be asked for. */
  stored(): void {
    this.failures = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private ask(): void {
    this.timer = undefined;
    if (this.connection.isOpen) this.connection.send(agentClient.RefreshDeviceInfo, []);
  }
}

/**
 * Milliseconds to wait after so many failures in a row: 2 s, doubled with each up to two minutes, and up to half of that more or less at random,
 * because the reports of all agents fail at the same time.
 */
export function waitAfter(failures: number, random: () => number = Math.random): number {
  return Math.min(1_000 * 2 ** failures, LONGEST_WAIT_MS) * (0.5 + random());
}
