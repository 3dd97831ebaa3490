import { cpus, hostname, networkInterfaces } from 'node:os';
import { currentLoad, mem } from 'systeminformation';
import type { DeviceUpdateRequestDto } from '#libs/contracts';
import { AGENT_VERSION } from '../version.js';
import { readDrives } from './drives.js';
import { networkFacts } from './network.js';
import { architectureOf, is64Bit, platformOf } from './platform.js';
import { readSystem } from './system.js';
import { toGib } from './units.js';
import { usersReader } from './users.js';

/** The identity of the device, from the settings. */
export interface DeviceIdentity {
  readonly deviceId: string;
  readonly tenantId: string;
}

const currentUsers = usersReader();

/** Reads the facts of this machine, and its current load. */
export async function readInventory({ deviceId, tenantId }: DeviceIdentity): Promise<DeviceUpdateRequestDto> {
  const [memory, load, system, users, drives] = await Promise.all([mem(), currentLoad(), readSystem(), currentUsers.value(), readDrives()]);
  const totalStorage = sum(drives.map((drive) => drive.totalSize));
  const freeStorage = sum(drives.map((drive) => drive.freeSpace));
  return {
    id: deviceId,
    tenantId,
    name: hostname(),
    agentVersion: AGENT_VERSION,
    is64Bit: is64Bit(process.arch),
    osArchitecture: architectureOf(process.arch),
    platform: platformOf(process.platform),
    processorCount: Math.max(1, cpus().length),
    cpuUtilization: Math.min(1, Math.max(0, Math.round(load.currentLoad) / 100)),
    totalMemory: toGib(memory.total),
    totalStorage,
    usedMemory: toGib(memory.total - memory.available),
    usedStorage: twoDecimals(totalStorage - freeStorage),
    currentUsers: users,
    ...networkFacts(networkInterfaces()),
    drives,
    ...system,
  };
}

function sum(sizes: readonly number[]): number {
  return twoDecimals(sizes.reduce((total, size) => total + size, 0));
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
