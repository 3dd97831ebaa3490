import { setTimeout as delay } from 'node:timers/promises';

import { eventually } from '../eventually.js';
import { ReportingDevice, type Enrolment } from './reporting-device.js';

const REPORTING_DEVICES = 5;
const REGISTRATION_LOOPS = 4;
/** Pause before work that failed is tried again, in milliseconds. Without it, the recovery would lack processor time. */
const RETRY_MS = 20;

/** A device as the service returns it. */
export interface StoredDevice {
  readonly id: string;
  readonly name: string;
  readonly isOnline: boolean;
}

/** Continuous registrations and reports, with those that the service has confirmed. */
export class Work {
  readonly registered: string[] = [];
  /** The number of the last accepted report of each device. */
  readonly reported = new Map<string, number>();
  private stopped = false;
  private readonly loops: Promise<void>[] = [];

  private constructor(
    private readonly url: string,
    private readonly enrolment: Enrolment,
    readonly devices: readonly ReportingDevice[],
  ) {}

  static async begin(url: string, enrolment: Enrolment): Promise<Work> {
    const devices = await Promise.all(Array.from({ length: REPORTING_DEVICES }, () => ReportingDevice.register(url, enrolment)));
    await Promise.all(devices.map((device) => device.connect(url)));
    const work = new Work(url, enrolment, devices);
    for (let loop = 0; loop < REGISTRATION_LOOPS; loop += 1) work.loops.push(work.again(() => work.register()));
    for (const device of devices) work.loops.push(work.again(() => work.report(device)));
    return work;
  }

  /** Waits until this many further registrations, and reports of each device, were accepted. */
  async progress(count: number): Promise<void> {
    const registered = this.registered.length + count;
    const reported = this.devices.map(({ id }) => ({ id, least: (this.reported.get(id) ?? 0) + count }));
    await eventually('registrations and reports are accepted', () => {
      return this.registered.length >= registered && reported.every(({ id, least }) => (this.reported.get(id) ?? 0) >= least);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
    await Promise.all(this.devices.map((device) => device.disconnect()));
  }

  /** Accepted registrations and reports that the list of devices does not show. */
  missingFrom(stored: readonly StoredDevice[]): string[] {
    const names = new Map(stored.map(({ id, name }) => [id, name]));
    const missing = this.registered.filter((id) => !names.has(id)).map((id) => `device ${id}`);
    for (const [id, number] of this.reported) {
      const name = names.get(id) ?? '';
      if (!(Number(name.replace('report ', '')) >= number)) missing.push(`report ${number} of device ${id}, which is "${name}"`);
    }
    return missing;
  }

  private async register(): Promise<void> {
    const device = await ReportingDevice.register(this.url, this.enrolment);
    this.registered.push(device.id);
  }

  private async report(device: ReportingDevice): Promise<void> {
    const number = (this.reported.get(device.id) ?? 0) + 1;
    await device.reportAs(`report ${number}`);
    this.reported.set(device.id, number);
  }

  private async again(act: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      // Failures while something is down are allowed; the next turn tries again.
      await act().catch(() => delay(RETRY_MS));
    }
  }
}
