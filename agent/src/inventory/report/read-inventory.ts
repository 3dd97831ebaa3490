import { fitted, type InventoryReading, type ReadInventory } from './inventory-parts.js';
import { readLinux } from './linux.js';
import { readMac } from './mac.js';
import { outputReader, type ReadOutput } from './run-limited.js';
import { readWindows } from './windows.js';

const READERS: Readonly<Record<string, ((output: ReadOutput) => Promise<ReadInventory>) | undefined>> = {
  linux: readLinux,
  darwin: readMac,
  win32: readWindows,
};

/** Reads what this machine is made of and what is installed on it; undefined on systems that the agent knows nothing about. */
export async function readFullInventory(): Promise<InventoryReading | undefined> {
  let isPartial = false;
  const read = await READERS[process.platform]?.(outputReader(() => (isPartial = true)));
  return read === undefined ? undefined : { inventory: fitted(read), isPartial };
}
