import {
  MAX_INVENTORY_SLOTS,
  MAX_INVENTORY_SOFTWARE,
  MAX_INVENTORY_TEXT_LENGTH,
  MAX_INVENTORY_UPDATES,
  type DeviceInventoryDto,
  type InstalledSoftwareDto,
} from '#libs/contracts';

/** The parts of an inventory, before they are fitted into a report. */
export type ReadInventory = Omit<DeviceInventoryDto, 'softwareCount'>;

/** The inventory of a machine, as far as it could be read. */
export interface InventoryReading {
  readonly inventory: DeviceInventoryDto;
  /** True if a program took too long, so that its part is missing. */
  readonly isPartial: boolean;
}

/** Largest report, as JSON: a message to the server has one MiB. */
const MAXIMUM_SIZE = 700_000;
/** Texts that makers of boards leave in place of a value. */
const PLACEHOLDER =
  /^(to be filled by o\.?e\.?m\.?|default string|system (manufacturer|product name|serial number)|not specified|none|unknown|o\.e\.m\.|0+)$/i;

/** A text in one line of the permitted length; empty for one that the maker of the board left in place of a value. */
export function lineOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_INVENTORY_TEXT_LENGTH);
  return PLACEHOLDER.test(line) ? '' : line;
}

/** A whole number that is not negative; 0 for anything else. */
export function countOf(value: unknown): number {
  const count = Math.trunc(Number(value));
  return Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 ? count : 0;
}

/** The inventory with lists of the permitted lengths and size. Programs are sorted by name, each once. */
export function fitted({ software, updates, memorySlots, ...facts }: ReadInventory): DeviceInventoryDto {
  const all = software === null ? null : distinct(software);
  const inventory: DeviceInventoryDto = {
    ...facts,
    memorySlots: memorySlots.slice(0, MAX_INVENTORY_SLOTS),
    softwareCount: all?.length ?? 0,
    software: all?.slice(0, MAX_INVENTORY_SOFTWARE) ?? null,
    updates: updates?.filter(({ name }) => name !== '').slice(0, MAX_INVENTORY_UPDATES) ?? null,
  };
  while (inventory.software !== null && inventory.software.length > 0 && sizeOf(inventory) > MAXIMUM_SIZE) {
    inventory.software = inventory.software.slice(0, Math.floor(inventory.software.length * 0.8));
  }
  return inventory;
}

function sizeOf({ software, updates }: DeviceInventoryDto): number {
  return Buffer.byteLength(JSON.stringify([software, updates]));
}

function distinct(software: readonly InstalledSoftwareDto[]): InstalledSoftwareDto[] {
  const byText = new Map(software.filter(({ name }) => name !== '').map((each) => [`${each.name}\n${each.version}`, each]));
  return [...byText.values()].sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.version, b.version));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
