import type { DeviceBatch, DeviceDisconnect, DeviceWrite, WrittenBatch, WrittenDevice } from './update-writer.repository.js';

/** An update that waits to be written, with the promise of its caller. */
interface WaitingUpdate {
  readonly kind: 'update';
  readonly deviceId: string;
  readonly write: DeviceWrite;
  readonly settle: (written: WrittenDevice | null) => void;
  readonly fail: (error: unknown) => void;
}

/** A disconnect that waits to be written, with the promise of its caller. It cannot fail: it is tried again. */
interface WaitingDisconnect {
  readonly kind: 'disconnect';
  readonly deviceId: string;
  readonly disconnect: DeviceDisconnect;
  readonly settle: (wasWritten: boolean) => void;
}

/** An entry that waits for the writer. */
export type WaitingWrite = WaitingUpdate | WaitingDisconnect;

/** The entries as the repository writes them. */
export function batchOf(entries: readonly WaitingWrite[]): DeviceBatch {
  return {
    updates: entries.flatMap((entry) => (entry.kind === 'update' ? [entry.write] : [])),
    disconnects: entries.flatMap((entry) => (entry.kind === 'disconnect' ? [entry.disconnect] : [])),
  };
}

/** Answers the caller of an entry whose batch was written. */
export function settle(entry: WaitingWrite, { updated, disconnected }: WrittenBatch): void {
  if (entry.kind === 'update') entry.settle(updated.get(entry.deviceId) ?? null);
  else entry.settle(disconnected.has(entry.deviceId));
}

/** Answers the caller of an entry that is not written because the service stops. */
export function giveUp(entry: WaitingWrite): void {
  if (entry.kind === 'update') entry.fail(new Error('The service stops while another transaction holds the row of the device.'));
  else entry.settle(false);
}
