import { Timestamp } from '#libs/contracts';
import { countOf, lineOf, type ReadInventory } from './inventory-parts.js';
import { listOf, member } from './json-value.js';
import { readJson, type ReadOutput } from './run-limited.js';

const PROFILER = [
  'system_profiler',
  '-json',
  '-timeout',
  '25',
  'SPHardwareDataType',
  'SPMemoryDataType',
  'SPApplicationsDataType',
] as const;

/** Reads the inventory of a Mac. Its list of updates would ask a server of Apple, so that it is left out. @throws Error when nothing is told */
export async function readMac(output: ReadOutput): Promise<ReadInventory> {
  const [profile, booted] = await Promise.all([readJson(output, PROFILER), output(['sysctl', '-n', 'kern.boottime'])]);
  return macInventory(profile, booted ?? '');
}

/** The inventory of what the programs have written. */
export function macInventory(profile: unknown, boottime: string): ReadInventory {
  const [hardware] = listOf(member(profile, 'SPHardwareDataType'));
  const applications = member(profile, 'SPApplicationsDataType');
  const seconds = Number(/\bsec = (\d+)/.exec(boottime)?.[1]);
  // "proc 10:8:2" on Apple's own processors, a number on others.
  const processors = member(hardware, 'number_processors');
  return {
    manufacturer: 'Apple',
    model: [member(hardware, 'machine_name'), member(hardware, 'machine_model')].map(lineOf).filter(Boolean).join(' '),
    serialNumber: lineOf(member(hardware, 'serial_number')),
    firmware: lineOf(member(hardware, 'boot_rom_version')),
    processor: lineOf(member(hardware, 'chip_type')) || lineOf(member(hardware, 'cpu_type')),
    processorCores: typeof processors === 'number' ? processors : countOf(/\d+/.exec(lineOf(processors))?.[0]),
    bootedAt: Number.isSafeInteger(seconds) ? Timestamp.fromDate(new Date(seconds * 1000)) : null,
    memorySlots: memoryOf(member(profile, 'SPMemoryDataType')),
    software:
      applications === undefined
        ? null
        : listOf(applications).map((each) => ({
            name: lineOf(member(each, '_name')),
            version: lineOf(member(each, 'version')),
            publisher: signerOf(listOf(member(each, 'signed_by'))[0]),
          })),
    updates: null,
  };
}

/** Slots stand within their bank; memory of Apple's own processors has none. */
function memoryOf(memory: unknown): ReadInventory['memorySlots'] {
  const slots = listOf(memory).flatMap((bank) => listOf(member(bank, '_items') ?? bank));
  return slots.map((slot) => ({
    name: lineOf(member(slot, '_name')),
    size: Number.parseFloat(lineOf(member(slot, 'dimm_size') ?? member(slot, 'SPMemoryDataType'))) || 0,
    type: lineOf(member(slot, 'dimm_type')),
    speed: countOf(Number.parseInt(lineOf(member(slot, 'dimm_speed')), 10)),
  }));
}

/** `Developer ID Application: Mozilla Corporation (43AQ936H96)` names the publisher. */
const signerOf = (signer: unknown): string => lineOf(/^[^:]*: (.*?)(?: \(\w+\))?$/.exec(lineOf(signer))?.[1] ?? signer);
