import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Hub, HubConnection } from '#libs/signalr';

import { eventually } from '../../support/eventually.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Garbage collections before a reading. Objects that one finalizes are freed by the next. */
const COLLECTIONS = 3;

/** The bytes in use after all garbage is collected. */
export async function usedBytes(): Promise<number> {
  for (let collection = 0; collection < COLLECTIONS; collection += 1) await collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function collect(): Promise<void> {
  // The current turn may still hold the value that was awaited last.
  await new Promise(setImmediate);
  collectGarbage();
}

/** Remembers every connection of some hubs without keeping it. */
export class ConnectionLeakCheck {
  private readonly seen: WeakRef<HubConnection>[] = [];

  constructor(private readonly hubs: readonly Hub[]) {
    for (const hub of hubs) hub.lifecycle({ onConnected: (connection) => void this.seen.push(new WeakRef(connection)) });
  }

  /** Waits until nothing holds a connection that has ended. */
  async released(): Promise<void> {
    await eventually('no connection is kept that has ended', async () => {
      // One collection a time: each takes long, and most often the first one is enough.
      await collect();
      return this.alive() <= this.open();
    });
  }

  private alive(): number {
    return this.seen.filter((connection) => connection.deref() !== undefined).length;
  }

  private open(): number {
    return this.hubs.reduce((sum, { size }) => sum + size, 0);
  }
}
