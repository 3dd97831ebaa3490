import { describe, expect, it } from 'vitest';
import type { NetworkInterfaceInfo } from 'node:os';
import type { Systeminformation } from 'systeminformation';
import { Architecture, DeviceUpdateRequestDto, SystemPlatform } from '#libs/contracts';
import { AGENT_VERSION } from '../version.js';
import { until } from '../waiting.fixture.js';
import { describeSystem, readInventory } from './device-inventory.js';
import { DriveReader, selectDrives } from './drives.js';
import { networkFacts } from './network.js';
import { architectureOf, is64Bit, platformOf } from './platform.js';

const GIB = 1024 ** 3;

describe('readInventory', () => {
  it('describes this machine', async () => {
    const identity = { deviceId: '11111111-2222-3333-4444-555555555555', tenantId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' };
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

describe('a reader of drives', () => {
  it('tells what it knows while a file system does not answer, and does not ask again until it does', async () => {
    let asked = 0;
    let answer = (): void => undefined;
    const reader = new DriveReader(async () => {
      asked += 1;
      if (asked === 2) await new Promise<void>((resolve) => (answer = resolve));
      return [disk('/dev/sda1', '/', 'ext4', asked * GIB)];
    }, 20);
    const sizes = async (): Promise<number[]> => (await reader.drives()).map(({ totalSize }) => totalSize);
    expect(await sizes()).toEqual([1]);
    expect([await sizes(), await sizes(), asked]).toEqual([[1], [1], 2]);
    answer();
    await until(() => asked > 2 || void reader.drives());
    expect(await sizes()).toEqual([asked]);
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
  });
});
