import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { DeviceInventoryDto, MAX_INVENTORY_SOFTWARE } from '#libs/contracts';
import { fitted, lineOf, type ReadInventory } from './inventory-parts.js';
import { parsed } from './json-value.js';
import { aptUpdates, bootTimeOf, dpkgSoftware, processorOf, readLinux, rpmSoftware } from './linux.js';
import { macInventory, readMac } from './mac.js';
import { readFullInventory } from './read-inventory.js';
import { outputReader, readOutput } from './run-limited.js';
import { memorySlotsOf } from './smbios.js';
import { readWindows, windowsInventory } from './windows.js';

const NOTHING: ReadInventory = {
  manufacturer: '',
  model: '',
  serialNumber: '',
  firmware: '',
  processor: '',
  processorCores: 0,
  bootedAt: null,
  memorySlots: [],
  software: null,
  updates: null,
};

describe('the inventory of this machine', () => {
  it('is read in a form that the contract takes', async () => {
    const reading = await readFullInventory();
    if (reading === undefined) throw new Error('This system has no inventory.');
    const { inventory } = reading;
    expect(DeviceInventoryDto.decode(DeviceInventoryDto.encode(inventory, 'json'), 'json')).toEqual(inventory);
    expect(inventory.softwareCount).toBe(inventory.software?.length ?? 0);
  });
});

describe('an inventory', () => {
  it('has each program once, sorted, and no more than fit into a report', () => {
    const long = 'x'.repeat(250);
    const software = Array.from({ length: 7_000 }, (_, n) => ({ name: `p${n % 6_000} ${long}`, version: '1', publisher: long }));
    const { softwareCount, software: sent } = fitted({ ...NOTHING, software });
    expect(softwareCount).toBe(6_000);
    expect(sent?.length).toBeLessThan(MAX_INVENTORY_SOFTWARE);
    expect(sent?.length).toBeGreaterThan(500);
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(700_000);
    const few = [
      { name: 'b', version: '2', publisher: '' },
      { name: 'A', version: '1', publisher: '' },
    ];
    expect(fitted({ ...NOTHING, software: [...few, ...few] }).software?.map(({ name }) => name)).toEqual(['A', 'b']);
  });

  it.each([
    ['  Dell \t Inc. ', 'Dell Inc.'],
    ['To Be Filled By O.E.M.', ''],
    ['Default string', ''],
    ['0000', ''],
    [null, ''],
    ['y'.repeat(300), 'y'.repeat(256)],
  ])('reads the text %j as "%s"', (given, text) => {
    expect(lineOf(given)).toBe(text);
  });
});

describe('Linux', () => {
  it('tells packages of dpkg and rpm that are installed', () => {
    const dpkg = 'ii \tbash\t5.2\tMatthias Klose <doko@debian.org>\nrc \told\t1\tNobody\nhi \theld\t6.1\tSomeone\n';
    expect(dpkgSoftware(dpkg)).toEqual([
      { name: 'bash', version: '5.2', publisher: 'Matthias Klose' },
      { name: 'held', version: '6.1', publisher: 'Someone' },
    ]);
    const rpm = 'bash\t5.1-9.el9\tRed Hat, Inc.\ngpg-pubkey\t8483c65d\t(none)\nown\t1-1\t(none)\n';
    expect(rpmSoftware(rpm)).toEqual([
      { name: 'bash', version: '5.1-9.el9', publisher: 'Red Hat, Inc.' },
      { name: 'own', version: '1-1', publisher: '' },
    ]);
  });

  it('tells the updates of a simulated upgrade, and those of security', () => {
    const apt =
      'Inst openssl [3.0.14-1] (3.0.15-1 Debian-Security:12/stable-security [amd64])\nInst vim (9.1 Debian:12.9/stable [amd64]) []\nConf vim (9.1 Debian:12.9/stable [amd64])\n';
    expect(aptUpdates(apt)).toEqual([
      { name: 'openssl', version: '3.0.15-1', isSecurity: true },
      { name: 'vim', version: '9.1', isSecurity: false },
    ]);
    expect(aptUpdates('')).toEqual([]);
    expect(aptUpdates(undefined)).toBeNull();
  });

  it('tells processor and start', () => {
    const cpu = (id: number, core: number): string =>
      `processor\t: ${id}\nmodel name\t: Intel(R) Core(TM) i7\nphysical id\t: 0\ncore id\t\t: ${core}\n`;
    expect(processorOf([cpu(0, 0), cpu(1, 0), cpu(2, 1)].join('\n'))).toEqual({ processor: 'Intel(R) Core(TM) i7', processorCores: 2 });
    expect(bootTimeOf('cpu 1\nbtime 1790000000\n')?.toDate().getTime()).toBe(1_790_000_000_000);
    expect(bootTimeOf('')).toBeNull();
  });
});

const noApt = ['apt-get', 'dpkg-query'].every((program) => spawnSync(program, ['--version']).status === 0) ? undefined : 'needs apt-get';

describe.skipIf(noApt !== undefined)(`apt${noApt === undefined ? '' : ` (skipped: ${noApt})`}`, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'apt-'));
    for (const name of ['etc/apt.conf.d', 'state/lists/partial', 'cache/archives/partial', 'repository'])
      await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, 'etc/sources.list'), `deb [trusted=yes] file:${folder}/repository ./\n`);
    const places = { Etc: 'etc', State: 'state', Cache: 'cache', 'State::status': 'status', 'Etc::parts': 'etc/apt.conf.d' };
    const settings = Object.entries(places).map(([name, place]) => `Dir::${name} "${folder}/${place}";\n`);
    await writeFile(join(folder, 'apt.conf'), [...settings, 'APT::Architecture "amd64";\n', 'APT::Sandbox::User "root";\n'].join(''));
    vi.stubEnv('APT_CONFIG', join(folder, 'apt.conf'));
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  const described = (name: string, version: number, depends: string, more: string): string =>
    `Package: ${name}\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Nobody\n${depends}${more}\nDescription: ${name}\n\n`;

  it('tells an update that brings a new package along, as those of kernels do', async () => {
    const installed = 'Status: install ok installed';
    await writeFile(
      join(folder, 'status'),
      described('kernel', 1, 'Depends: kernel-1\n', installed) + described('kernel-1', 1, '', installed),
    );
    const file = (name: string): string => `Filename: ./${name}.deb\nSize: 1\nSHA256: ${'0'.repeat(64)}`;
    await writeFile(
      join(folder, 'repository/Packages'),
      described('kernel', 2, 'Depends: kernel-2\n', file('kernel')) + described('kernel-2', 1, '', file('kernel-2')),
    );
    execFileSync('apt-get', ['-qq', 'update'], { stdio: 'pipe' });
    const { updates } = await readLinux(readOutput);
    expect(updates?.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(['kernel 2', 'kernel-2 1']);
  });
});

describe('a program that tells something', () => {
  it.skipIf(process.platform === 'win32')('is ended in time, also one that does not listen', async () => {
    expect(await readOutput(['sh', '-c', "trap '' TERM; while :; do sleep 1; done"], 200)).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is known to have taken too long, and one that fails to have failed', async () => {
    let late = 0;
    const output = outputReader(() => (late += 1));
    for (const command of ['exit 3', 'kill -KILL $$', 'exec yes']) expect(await output(['sh', '-c', command])).toBeUndefined();
    expect(await output(['nowhere-at-all'])).toBeUndefined();
    expect(late).toBe(0);
    expect(await output(['sh', '-c', 'exec sleep 600'], 200)).toBeUndefined();
    expect(late).toBe(1);
  });
});

describe('a table of SMBIOS', () => {
  function structure(type: number, fields: readonly (readonly [offset: number, bytes: number, value: number])[], texts: string): Buffer {
    const bytes = Buffer.alloc(0x28);
    bytes[0] = type;
    bytes[1] = bytes.length;
    for (const [offset, length, value] of fields) bytes.writeUIntLE(value, offset, length);
    return Buffer.concat([bytes, Buffer.from(`${texts}\0\0`, 'latin1')]);
  }

  it('tells slots, empty ones and those of 32 GiB and more', () => {
    const small = structure(
      17,
      [
        [0x0c, 2, 16_384],
        [0x10, 1, 1],
        [0x12, 1, 0x1a],
        [0x15, 2, 3200],
      ],
      'DIMM A1\0BANK 0',
    );
    const empty = structure(
      17,
      [
        [0x0c, 2, 0],
        [0x10, 1, 1],
      ],
      'DIMM A2',
    );
    const large = structure(
      17,
      [
        [0x0c, 2, 0x7fff],
        [0x10, 1, 2],
        [0x12, 1, 0x22],
        [0x15, 2, 4800],
        [0x1c, 4, 65_536],
      ],
      'x\0DIMM B1',
    );
    const table = Buffer.concat([structure(1, [], 'Maker'), small, empty, large, structure(127, [], '')]);
    expect(memorySlotsOf(table)).toEqual([
      { name: 'DIMM A1', size: 16, type: 'DDR4', speed: 3200 },
      { name: 'DIMM A2', size: 0, type: '', speed: 0 },
      { name: 'DIMM B1', size: 64, type: 'DDR5', speed: 4800 },
    ]);
    for (let length = 0; length < table.length; length += 1) expect(memorySlotsOf(table.subarray(0, length)).length).toBeLessThanOrEqual(3);
  });
});

describe('Windows and macOS', () => {
  it('tell what PowerShell has written, one item as itself', () => {
    const read = {
      Manufacturer: 'LENOVO',
      Model: '21AH',
      SerialNumber: 'PF3',
      Firmware: 'N3M',
      Processors: { Name: 'Intel', NumberOfCores: 12 },
      BootedAt: '2026-11-20T08:00:00.0000000Z',
      Memory: [{ DeviceLocator: 'DIMM 0', Capacity: 17_179_869_184, SMBIOSMemoryType: 26, Speed: 3200 }],
      Software: { DisplayName: '7-Zip', DisplayVersion: '24.08', Publisher: 'Igor Pavlov' },
    };
    const inventory = windowsInventory(read, { Updates: [{ Title: 'KB5046633', Security: true }] });
    expect(inventory).toMatchObject({
      processorCores: 12,
      memorySlots: [{ name: 'DIMM 0', size: 16, type: 'DDR4', speed: 3200 }],
      software: [{ name: '7-Zip', version: '24.08', publisher: 'Igor Pavlov' }],
      updates: [{ name: 'KB5046633', version: '', isSecurity: true }],
    });
    expect(inventory.bootedAt?.toDate().toISOString()).toBe('2026-11-20T08:00:00.000Z');
    expect(windowsInventory(parsed('not JSON'), undefined)).toEqual(NOTHING);
  });

  it('tell everything else where the search for updates takes too long, and that there are none only where it says so', async () => {
    const tell = async (found: string | undefined): Promise<ReadInventory> =>
      readWindows(async ([, ...args]) => (args.some((arg) => arg.includes('CreateUpdateSearcher')) ? found : '{"Manufacturer":"LENOVO"}'));
    expect(await tell(undefined)).toMatchObject({ manufacturer: 'LENOVO', updates: null });
    expect(await tell('{"Updates":null}')).toMatchObject({ manufacturer: 'LENOVO', updates: null });
    expect(await tell('{"Updates":[]}')).toMatchObject({ manufacturer: 'LENOVO', updates: [] });
  });

  it('leave the last inventory in its place when their programs tell nothing', async () => {
    await expect(readWindows(async () => undefined)).rejects.toThrow('powershell.exe has failed, or took longer than a minute.');
    await expect(readMac(async () => 'not JSON')).rejects.toThrow('system_profiler has failed');
  });

  it('tell what system_profiler has written', () => {
    const profile = {
      SPHardwareDataType: [
        {
          machine_name: 'MacBook Pro',
          machine_model: 'Mac15,3',
          serial_number: 'C02',
          chip_type: 'Apple M3',
          number_processors: 'proc 8:4:4',
        },
      ],
      SPMemoryDataType: [{ SPMemoryDataType: '16 GB', dimm_type: 'LPDDR5' }],
      SPApplicationsDataType: [
        { _name: 'Firefox', version: '131', signed_by: ['Developer ID Application: Mozilla Corporation (43AQ936H96)', 'Apple Root CA'] },
      ],
    };
    expect(macInventory(profile, '{ sec = 1790000000, usec = 1 } Mon')).toMatchObject({
      model: 'MacBook Pro Mac15,3',
      processor: 'Apple M3',
      processorCores: 8,
      memorySlots: [{ size: 16, type: 'LPDDR5' }],
      software: [{ name: 'Firefox', version: '131', publisher: 'Mozilla Corporation' }],
      updates: null,
    });
  });
});
