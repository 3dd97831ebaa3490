import type { DeviceInventoryDto } from '#libs/contracts';
import { fitted, type ReadInventory } from './inventory-parts.js';
import { readLinux } from './linux.js';
import { readMac } from './mac.js';
import { readOutput, type ReadOutput } from './run-limited.js';
import { readWindows } from './windows.js';

const READERS: Readonly<Record<string, ((output: ReadOutput) => Promise<ReadInventory>) | undefined>> = {
  linux: readLinux,
  darwin: readMac,
  win32: readWindows,
};

/** Reads what this machine is made of and what is installed on it; undefined on systems that the agent knows nothing about. */
export async function readFullInventory(): Promise<DeviceInventoryDto | undefined> {
  const read = await READERS[process.platform]?.(readOutput);
  return read === undefined ? undefined : fitted(read);
}
