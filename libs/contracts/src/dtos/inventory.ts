import { arrayOf, nullable, record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH } from '../wire/limits.js';
import { bool, float64, guid, int32, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

/** Longest text of an inventory. */
export const MAX_INVENTORY_TEXT_LENGTH = 256;
/** Most programs of an inventory. */
export const MAX_INVENTORY_SOFTWARE = 5_000;
/** Most updates of an inventory. */
export const MAX_INVENTORY_UPDATES = 1_000;
/** Most memory slots of an inventory. */
export const MAX_INVENTORY_SLOTS = 128;

const line = text(MAX_INVENTORY_TEXT_LENGTH);

export const MemorySlotDto = record(
  'MemorySlotDto',
  'A slot for memory.',
  { name: line, size: float64, type: line, speed: int32 },
  { size: 'In GiB; 0 for an empty slot.', type: 'For example `DDR4`.', speed: 'In MT/s; 0 if it is not known.' },
);
export type MemorySlotDto = Infer<typeof MemorySlotDto>;

export const InstalledSoftwareDto = record(
  'InstalledSoftwareDto',
  'A program that is installed.',
  { name: line, version: line, publisher: line },
  { version: 'Empty if it is not known.', publisher: 'Empty if it is not known.' },
);
export type InstalledSoftwareDto = Infer<typeof InstalledSoftwareDto>;

export const PendingUpdateDto = record(
  'PendingUpdateDto',
  'An update that the operating system offers and that is not installed.',
  { name: line, version: line, isSecurity: bool },
  { version: 'Empty if it is not known.' },
);
export type PendingUpdateDto = Infer<typeof PendingUpdateDto>;

export const DeviceInventoryDto = record(
  'DeviceInventoryDto',
  'The hardware and the installed programs of a device. Texts that the agent cannot read are empty.',
  {
    manufacturer: line,
    model: line,
    serialNumber: line,
    firmware: line,
    processor: line,
    processorCores: int32,
    bootedAt: nullable(timestamp),
    memorySlots: arrayOf(MemorySlotDto, MAX_INVENTORY_SLOTS),
    softwareCount: int32,
    software: nullable(arrayOf(InstalledSoftwareDto, MAX_INVENTORY_SOFTWARE)),
    updates: nullable(arrayOf(PendingUpdateDto, MAX_INVENTORY_UPDATES)),
  },
  {
    processorCores: 'Physical cores; 0 if they are not known.',
    bootedAt: 'The time at which the operating system started; null if unknown.',
    memorySlots: 'Empty if they are not known.',
    softwareCount: 'The number of installed programs, with those that do not fit into the list.',
    software: 'Null if the agent cannot read it.',
    updates: 'Null if the agent cannot read them.',
  },
);
export type DeviceInventoryDto = Infer<typeof DeviceInventoryDto>;

export const InventoryReportDto = record(
  'InventoryReportDto',
  'The inventory of a device, or only its hash.',
  { deviceId: guid, hash: text(MAX_IDENTIFIER_LENGTH), inventory: nullable(DeviceInventoryDto) },
  {
    hash: 'A hash of the inventory, which the server stores and compares. The agent chooses how to make it.',
    inventory: 'Null while the agent asks whether the server wants it.',
  },
);
export type InventoryReportDto = Infer<typeof InventoryReportDto>;
