import type { DeviceUpdateRequestDto } from '#libs/contracts';

import type { PublicAddress } from '../row/device-columns.js';
import { detailsOf, figuresOf, withoutGaps } from '../row/device-details.js';
import type { DeviceDetails, DeviceRow } from '../row/device-fields.js';
import type { WrittenDevice } from './update-writer.repository.js';

/**
 * The row of a device after an update, composed of the report and the columns that the write read back. `details` should be complete: a
 * missing detail appears empty instead of as stored.
 */
export function reportedRow(
  report: DeviceUpdateRequestDto,
  details: DeviceDetails,
  written: WrittenDevice,
  connectionId: string,
  seenAt: Date,
): DeviceRow {
  // Object.assign, because an object literal with several spreads takes much longer (measured with Node.js 20).
  return Object.assign({ connectionId, isOnline: true, lastSeen: seenAt }, written, withoutGaps(details), figuresOf(report));
}

/**
 * The row for an agent whose key waits beside the one in force: its own report, and the server's columns of the device. It contains
 * nothing that the device's agent has reported.
 */
export function rowOfWaiting(
  row: DeviceRow,
  report: DeviceUpdateRequestDto,
  { connectionId, seenAt, address }: { readonly connectionId: string; readonly seenAt: Date; readonly address: PublicAddress },
): DeviceRow {
  const { publicIpV4, publicIpV6 } = address;
  return {
    ...row,
    ...withoutGaps(detailsOf(report)),
    ...figuresOf(report),
    publicIpV4: publicIpV4 ?? '',
    publicIpV6: publicIpV6 ?? '',
    connectionId,
    isOnline: connectionId !== '',
    lastSeen: seenAt,
  };
}
