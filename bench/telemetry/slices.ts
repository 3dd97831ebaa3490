import { writeFileSync } from 'node:fs';

/** Length of a slice, in milliseconds. */
const SLICE_MS = 500;

/** A part of a service's time, in which telemetry was on or off. */
export interface Slice {
  /** Its end, in milliseconds since 1970. */
  readonly endedAt: number;
  readonly isOn: boolean;
  readonly operations: number;
  /** Processor time of the service, in microseconds. */
  readonly microseconds: number;
}

/** The current slice of this service. */
export const slice = { isOn: true, operations: 0 };

/** Turns telemetry on and off in turns of a random order, and writes the slices into the file when the process ends. */
export function beginSlices(file: string): void {
  const ended: Slice[] = [];
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    ended.push({ ...slice, endedAt: Date.now(), microseconds: user + system });
    // Two slices that follow one another make a pair.
    slice.isOn = ended.length % 2 === 0 ? Math.random() < 0.5 : !slice.isOn;
    slice.operations = 0;
  }, SLICE_MS);
  timer.unref();
  process.once('exit', () => writeFileSync(file, JSON.stringify(ended)));
}
