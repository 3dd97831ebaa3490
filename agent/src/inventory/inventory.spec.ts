import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, type NetworkInterfaceInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Systeminformation } from 'systeminformation';
import { Architecture, DeviceUpdateRequestDto, SystemPlatform } from '#libs/contracts';
import { AGENT_VERSION } from '../version.js';
import { until } from '../waiting.fixture.js';
import { readInventory } from './device-inventory.js';
import { selectDrives } from './drives.js';
import { LastKnown } from './last-known.js';
import { networkFacts } from './network.js';
import { architectureOf, is64Bit, platformOf } from './platform.js';
import { describeMac, describeRelease, describeSystem, readSystem } from './system.js';
import { usersReader } from './users.js';

const GIB = 1024 ** 3;

const identity = { deviceId: '11111111-2222-3333-4444-555555555555', tenantId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' };

describe('readInventory', () => {
  it('describes this machine', async () => {
    const dto = await readInventory(identity);
    expect(DeviceUpdateRequestDto.decode(DeviceUpdateRequestDto.encode(dto, 'json'), 'json')).toEqual(dto);
    expect(dto).toMatchObject({ id: identity.deviceId, tenantId: identity.tenantId, agentVersion: AGENT_VERSION });
    expect(dto.name).not.toBe('');
    expect(dto.osDescription).not.toBe('');
    expect(dto.processorCount).toBeGreaterThan(0);
    expect(dto.cpuUtilization).toBeGreaterThanOrEqual(0);
    expect(dto.cpuUtilization).toBeLessThanOrEqual(1);
    expect(dto.usedMemory).toBeGreaterThan(0);
    expect(dto.usedMemory).toBeLessThanOrEqual(dto.totalMemory);
    expect(dto.usedStorage).toBeLessThanOrEqual(dto.totalStorage);
    for (const mac of dto.macAddresses ?? []) expect(mac).toMatch(/^[0-9A-F]{12}$/);
  });
});

const disk = (fs: string, mount: string, type: string, size: number): Systeminformation.FsSizeData => ({
  fs,
  mount,
  type,
  size,
  used: size / 4,
  available: size / 2,
  use: 25,
  rw: true,
});

describe.skipIf(process.platform !== 'linux')('a program of the system that does not come to its end', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inventory-'));
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  const program = async (name: string, script: string): Promise<void> =>
    writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  it('holds up nothing else: the one that asks name servers', async () => {
    const [asked, answered] = [join(folder, 'asked'), join(folder, 'answered')];
    // It gives up where nothing else can go on.
    await program(
      'hostname',
      `touch ${asked}; for n in $(seq 100); do [ ! -e ${answered} ] || exec echo box.example.org; sleep 0.05; done`,
    );
    const reading = readInventory(identity);
    await until(() => existsSync(asked) || undefined);
    await writeFile(answered, '');
    expect((await reading).dnsHostName).toBe('box.example.org');
  });

  it('holds up nothing else on macOS: the one that asks name servers', async () => {
    await program('sw_vers', String.raw`printf 'ProductName:\t\tmacOS\nProductVersion:\t\t14.5\nBuildVersion:\t\t23F79\n'`);
    const [asked, answered] = [join(folder, 'asked'), join(folder, 'answered')];
    await program(
      'hostname',
      `touch ${asked}; for n in $(seq 100); do [ ! -e ${answered} ] || exec echo mac.example.org; sleep 0.05; done`,
    );
    const reading = readSystem('darwin');
    await until(() => existsSync(asked) || undefined);
    await writeFile(answered, '');
    expect(await reading).toEqual({ osDescription: 'macOS 14.5 (Sonoma)', dnsHostName: 'mac.example.org' });
  });

  it('holds up no report: the one that looks at the processes of users', async () => {
    await program('w', `while [ -e ${folder} ]; do sleep 0.05; done`);
    const reader = usersReader(20);
    expect([await reader.value(), await reader.value()]).toEqual([[], []]);
  });
});

describe('what the system may not answer', () => {
  it('is what was known before, and is not asked for again until the answer', async () => {
    let asked = 0;
    let answer = (): void => undefined;
    const reader = new LastKnown(
      async () => {
        asked += 1;
        if (asked === 2) await new Promise<void>((resolve) => (answer = resolve));
        return asked;
      },
      0,
      20,
    );
    expect(await reader.value()).toBe(1);
    expect([await reader.value(), await reader.value(), asked]).toEqual([1, 1, 2]);
    answer();
    await until(() => asked > 2 || void reader.value());
    expect(await reader.value()).toBe(asked);
  });
});

describe('selectDrives', () => {
  it('omits everything that is not a data disk', () => {
    const drives = selectDrives([
      disk('/dev/sda2', '/var/lib/docker/volumes/x', 'ext4', GIB),
      disk('/dev/sda1', '/etc/hosts', 'ext4', 100 * GIB),
      disk('/dev/sda1', '/', 'ext4', 100 * GIB),
      disk('/dev/sdb', '/data', 'xfs', 1.234 * GIB),
      disk('overlay', '/overlay', 'overlay', GIB),
      disk('/dev/loop0', '/snap/core', 'squashfs', GIB),
      disk('/dev/sda3', '/boot/efi', 'vfat', GIB),
      disk('/dev/sda4', '/empty', 'ext4', 0),
      disk('server:/share', '/mnt', 'nfs4', GIB),
      disk('/dev/sdc', '/bootleg', 'ext4', GIB),
    ]);
    expect(drives.map(({ rootDirectory }) => rootDirectory)).toEqual(['/', '/data', '/bootleg']);
    expect(drives[0]).toMatchObject({ driveFormat: 'ext4', totalSize: 100, freeSpace: 75, name: '/', volumeLabel: '/' });
    expect(drives[1].totalSize).toBe(1.23);
  });

  it('counts a pool of ZFS once, whose file systems share its disks', () => {
    const drives = selectDrives([
      disk('rpool/USERDATA/anna', '/home/anna', 'zfs', 900 * GIB),
      disk('rpool/ROOT/ubuntu', '/', 'zfs', 950 * GIB),
      disk('rpool/ROOT/ubuntu/srv', '/srv', 'zfs', 900 * GIB),
      disk('tank', '/tank', 'zfs', 2_000 * GIB),
      disk('tank/media', '/tank/media', 'zfs', 1_900 * GIB),
    ]);
    expect(drives.map(({ rootDirectory, totalSize }) => [rootDirectory, totalSize])).toEqual([
      ['/', 950],
      ['/tank', 2_000],
    ]);
  });
});

describe('networkFacts', () => {
  const common = { address: '10.0.0.5', netmask: '', mac: '00:11:22:aa:bb:cc', internal: false, cidr: null };
  const ipV4 = (over: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo => ({
    ...common,
    ...over,
    family: 'IPv4',
    scopeid: undefined,
  });
  const ipV6 = (address: string, mac = common.mac): NetworkInterfaceInfo => ({ ...common, address, mac, family: 'IPv6', scopeid: 0 });

  it('takes addresses of active interfaces that are not the loopback', () => {
    const facts = networkFacts({
      lo: [ipV4({ internal: true, address: '127.0.0.1', mac: '00:00:00:00:00:00' })],
      eth0: [ipV4(), ipV6('fe80::1'), ipV6('2001:db8::1')],
      eth1: [ipV4({ address: '10.0.0.6' })],
      only6: [ipV6('2001:db8::2', '00:11:22:33:44:55')],
    });
    expect(facts).toEqual({ macAddresses: ['001122AABBCC'], localIpV4: '10.0.0.5', localIpV6: '2001:db8::1' });
  });

  it('is empty without a network', () => {
    expect(networkFacts({})).toEqual({ macAddresses: [], localIpV4: '', localIpV6: '' });
  });
});

describe('platform names', () => {
  it('are those of the contract', () => {
    expect(['x64', 'arm64', 'ia32', 'riscv64'].map(architectureOf)).toEqual([
      Architecture.X64,
      Architecture.Arm64,
      Architecture.X86,
      Architecture.RiscV64,
    ]);
    expect(['linux', 'darwin', 'win32', 'aix'].map(platformOf)).toEqual([
      SystemPlatform.Linux,
      SystemPlatform.MacOs,
      SystemPlatform.Windows,
      SystemPlatform.Unknown,
    ]);
    expect([is64Bit('x64'), is64Bit('arm')]).toEqual([true, false]);
    expect(describeSystem({ distro: 'Debian GNU/Linux', release: '12', codename: 'bookworm' })).toBe('Debian GNU/Linux 12 (bookworm)');
    expect(describeSystem({ distro: 'macOS', release: '15.1', codename: '' })).toBe('macOS 15.1');
    expect(describeRelease('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n')).toBe(
      'Debian GNU/Linux 12 (bookworm)',
    );
    expect(describeRelease("NAME='Ubuntu'\nPRETTY_NAME='Ubuntu 24.04.1 LTS'\nVERSION_CODENAME=noble\n")).toBe('Ubuntu 24.04.1 LTS (noble)');
    expect(describeRelease('NAME=Slackware\n')).toBe('Slackware');
    expect(describeRelease('')).toBeUndefined();
    expect(describeMac('ProductName:\t\tmacOS\nProductVersion:\t\t99.1\n')).toBe('macOS 99.1');
    expect(describeMac('')).toBeUndefined();
  });
});
