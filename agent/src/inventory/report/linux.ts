import { readFile } from 'node:fs/promises';

import { Timestamp, type InstalledSoftwareDto, type PendingUpdateDto } from '#libs/contracts';
import { lineOf, type ReadInventory } from './inventory-parts.js';
import { memorySlotsOf } from './smbios.js';
import { textOfFile, type ReadOutput } from './run-limited.js';

const DMI = '/sys/class/dmi/id';
const BOARD = '/proc/device-tree';
const DPKG = ['dpkg-query', '-W', '-f=${db:Status-Abbrev}\t${Package}\t${Version}\t${Maintainer}\n'] as const;
const RPM = ['rpm', '-qa', '--qf', '%{NAME}\t%{VERSION}-%{RELEASE}\t%{VENDOR}\n'] as const;
/** Asks the lists that the machine has, and changes nothing. Updates of kernels bring new packages along. */
const APT = ['apt-get', '-s', '-qq', '-o', 'Debug::NoLocking=1', 'upgrade', '--with-new-pkgs'] as const;

/** Reads the inventory of a Linux machine. What its account may not read stays empty. */
export async function readLinux(output: ReadOutput): Promise<ReadInventory> {
  const [vendor, product, serial, firmware, board, boardSerial, cpu, stat, slots] = await Promise.all([
    textOfFile(`${DMI}/sys_vendor`),
    textOfFile(`${DMI}/product_name`),
    textOfFile(`${DMI}/product_serial`),
    textOfFile(`${DMI}/bios_version`),
    textOfFile(`${BOARD}/model`),
    textOfFile(`${BOARD}/serial-number`),
    textOfFile('/proc/cpuinfo'),
    textOfFile('/proc/stat'),
    readFile('/sys/firmware/dmi/tables/DMI').then(memorySlotsOf, () => []),
  ]);
  const debian = await output(DPKG);
  return {
    manufacturer: lineOf(vendor),
    model: lineOf(product) || lineOf(board),
    serialNumber: lineOf(serial) || lineOf(boardSerial),
    firmware: lineOf(firmware),
    ...processorOf(cpu),
    bootedAt: bootTimeOf(stat),
    memorySlots: slots,
    software: debian === undefined ? await rpms(output) : dpkgSoftware(debian),
    updates: debian === undefined ? null : aptUpdates(await output(APT)),
  };
}

async function rpms(output: ReadOutput): Promise<InstalledSoftwareDto[] | null> {
  const text = await output(RPM);
  return text === undefined ? null : rpmSoftware(text);
}

/** Model and cores of `/proc/cpuinfo`. Some architectures name no cores. */
export function processorOf(cpuinfo: string): { readonly processor: string; readonly processorCores: number } {
  const valueOf = (key: string, text: string): string | undefined => new RegExp(`^${key}\\s*:\\s*(.*)$`, 'm').exec(text)?.[1];
  const processors = cpuinfo.split('\n\n').filter((text) => valueOf('processor', text) !== undefined);
  const cores = processors.map((text) => [valueOf('physical id', text), valueOf('core id', text)]).filter(([, core]) => core !== undefined);
  const model = valueOf('model name', cpuinfo) ?? valueOf('Model', cpuinfo) ?? valueOf('cpu model', cpuinfo);
  return { processor: lineOf(model), processorCores: new Set(cores.map((core) => core.join())).size };
}

/** The time of `btime` in `/proc/stat`. */
export function bootTimeOf(stat: string): Timestamp | null {
  const seconds = Number(/^btime (\d+)$/m.exec(stat)?.[1]);
  return Number.isSafeInteger(seconds) ? Timestamp.fromDate(new Date(seconds * 1000)) : null;
}

/** Packages that dpkg has installed, also those that are held at their version (`hi`). */
export function dpkgSoftware(text: string): InstalledSoftwareDto[] {
  return rowsOf(text)
    .filter(([status = '']) => status[1] === 'i')
    .map(([, name, version, maintainer = '']) => software(name, version, maintainer.replace(/\s*<.*>$/, '')));
}

/** Packages that rpm has installed. The keys of publishers are packages, too, but no programs. */
export function rpmSoftware(text: string): InstalledSoftwareDto[] {
  return rowsOf(text)
    .filter(([name]) => name !== 'gpg-pubkey')
    .map(([name, version, vendor = '']) => software(name, version, vendor === '(none)' ? '' : vendor));
}

/** Updates that a simulated upgrade would install: `Inst openssl [3.0.14-1] (3.0.15-1 Debian-Security:12/stable-security [amd64])`. */
export function aptUpdates(text: string | undefined): PendingUpdateDto[] | null {
  if (text === undefined) return null;
  return [...text.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) ([^)]*)\)/gm)].map(([, name, version, origin]) => ({
    name: lineOf(name),
    version: lineOf(version),
    isSecurity: /-security\b|debian-security/i.test(origin),
  }));
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

const software = (name: unknown, version: unknown, publisher: unknown): InstalledSoftwareDto => ({
  name: lineOf(name),
  version: lineOf(version),
  publisher: lineOf(publisher),
});
