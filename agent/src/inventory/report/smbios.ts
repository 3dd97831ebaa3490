import type { MemorySlotDto } from '#libs/contracts';
import { lineOf } from './inventory-parts.js';

/** The structure of a memory slot (SMBIOS, section 7.18), and the last structure. */
const MEMORY_DEVICE = 17;
const END_OF_TABLE = 127;
const HEADER = 4;

/** Offsets within the structure of a slot. */
const SLOT = { size: 0x0c, locator: 0x10, type: 0x12, speed: 0x15, largeSize: 0x1c };
/** Sizes that are no size: unknown, and "see the large size". */
const UNKNOWN_SIZE = 0xffff;
const LARGE = 0x7fff;
const IN_KIBIBYTES = 0x8000;

const TYPES: Readonly<Record<number, string>> = {
  0x12: 'DDR',
  0x13: 'DDR2',
  0x18: 'DDR3',
  0x1a: 'DDR4',
  0x1b: 'LPDDR',
  0x1c: 'LPDDR2',
  0x1d: 'LPDDR3',
  0x1e: 'LPDDR4',
  0x22: 'DDR5',
  0x23: 'LPDDR5',
};

/** The memory slots of a table of SMBIOS, as the firmware leaves it. A broken table gives what was read of it. */
export function memorySlotsOf(table: Buffer): MemorySlotDto[] {
  const slots: MemorySlotDto[] = [];
  for (let at = 0; at + HEADER <= table.length;) {
    const [type, length] = [table[at], table[at + 1]];
    if (type === END_OF_TABLE || length < HEADER || at + length > table.length) break;
    const end = endOfStrings(table, at + length);
    if (type === MEMORY_DEVICE && length > SLOT.type) slots.push(slotOf(table.subarray(at, at + length), table.subarray(at + length, end)));
    at = end;
  }
  return slots;
}

/** Strings end with two NULs, also when there are none. */
function endOfStrings(table: Buffer, from: number): number {
  const end = table.indexOf('\0\0', from, 'latin1');
  return end === -1 ? table.length : end + 2;
}

function slotOf(structure: Buffer, strings: Buffer): MemorySlotDto {
  const texts = strings.toString('latin1').split('\0');
  const number = structure[SLOT.locator];
  return {
    name: lineOf(number === 0 ? '' : texts[number - 1]),
    size: sizeOf(structure),
    type: TYPES[structure[SLOT.type]] ?? '',
    speed: structure.length >= SLOT.speed + 2 ? structure.readUInt16LE(SLOT.speed) : 0,
  };
}

/** In GiB. */
function sizeOf(structure: Buffer): number {
  const size = structure.readUInt16LE(SLOT.size);
  if (size === UNKNOWN_SIZE) return 0;
  if (size === LARGE && structure.length >= SLOT.largeSize + 4) return structure.readUInt32LE(SLOT.largeSize) / 1024;
  return (size & IN_KIBIBYTES) === 0 ? size / 1024 : (size & LARGE) / 1024 / 1024;
}
