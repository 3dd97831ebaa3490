import { createHash } from 'node:crypto';

import { DriveType, type DeviceUpdateRequestDto, type Drive } from '#libs/contracts';

import type { StoredDrive } from './device.entity.js';

/** Lengths of the columns that an agent's texts go to; longer texts are cut, never refused. */
export const DEVICE_TEXT_LIMITS = {
  name: 100,
  agentVersion: 50,
  dnsHostName: 255,
  osDescription: 300,
  localIpV4: 15,
  localIpV6: 39,
} as const;

/** Most users, network adapters and drives that are kept of a device, so that a row stays small whatever an agent sends. */
const MAXIMUM_LIST_ITEMS = 256;
const MAXIMUM_LIST_TEXT_LENGTH = 256;

const driveTypeNames: ReadonlyMap<number, string> = new Map(Object.entries(DriveType.values).map(([name, value]) => [value, name]));

/** What changes with every report. Memory and storage in GiB, utilization 0 to 1. */
export interface ReportedFigures {
  readonly cpuUtilization: number;
  readonly totalMemory: number;
  readonly usedMemory: number;
  readonly totalStorage: number;
  readonly usedStorage: number;
}

/** What an agent says of its device that seldom changes; null leaves the stored value as it is. */
export interface DeviceDetails {
  readonly name: string | null;
  readonly agentVersion: string | null;
  readonly is64Bit: boolean;
  readonly osArchitecture: number;
  readonly osDescription: string | null;
  readonly platform: number;
  readonly processorCount: number;
  readonly currentUsers: readonly string[] | null;
  readonly macAddresses: readonly string[] | null;
  readonly localIpV4: string | null;
  readonly localIpV6: string | null;
  readonly drives: readonly StoredDrive[] | null;
  readonly dnsHostName: string;
}

/** Details without a gap, as the row of a device holds them. */
export type CompleteDetails = { readonly [K in keyof DeviceDetails]: NonNullable<DeviceDetails[K]> };

/** Whether the report names every detail, so that it needs nothing of the stored row. */
export function isComplete(details: DeviceDetails): details is CompleteDetails {
  return !Object.values(details).includes(null);
}

/** A short text that differs when any detail differs; it stands for the details where keeping them would cost memory. */
export function digestOf(details: DeviceDetails): string {
  return createHash('sha1').update(JSON.stringify(details)).digest('base64');
}

/** The figures of an agent's report. */
export function figuresOf({ cpuUtilization, totalMemory, usedMemory, totalStorage, usedStorage }: DeviceUpdateRequestDto): ReportedFigures {
  return { cpuUtilization, totalMemory, usedMemory, totalStorage, usedStorage };
}

/** The details of an agent's report, cut to what the columns take. */
export function detailsOf(update: DeviceUpdateRequestDto): DeviceDetails {
  const limits = DEVICE_TEXT_LIMITS;
  return {
    name: cutOrNull(update.name, limits.name),
    agentVersion: cutOrNull(update.agentVersion, limits.agentVersion),
    is64Bit: update.is64Bit,
    osArchitecture: update.osArchitecture,
    osDescription: cutOrNull(update.osDescription, limits.osDescription),
    platform: update.platform,
    processorCount: update.processorCount,
    currentUsers: cutAll(update.currentUsers),
    macAddresses: cutAll(update.macAddresses),
    localIpV4: cutOrNull(update.localIpV4, limits.localIpV4),
    localIpV6: cutOrNull(update.localIpV6, limits.localIpV6),
    drives: update.drives?.slice(0, MAXIMUM_LIST_ITEMS).map(storedDrive) ?? null,
    dnsHostName: cutText(update.dnsHostName, limits.dnsHostName),
  };
}

/** The text cut to a number of UTF-16 units, without what PostgreSQL cannot store (NUL, halves of surrogate pairs). */
export function cutText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text;
  return cut.replaceAll('\0', '').toWellFormed();
}

function cutOrNull(text: string | null, limit: number): string | null {
  return text === null ? null : cutText(text, limit);
}

function cutAll(texts: readonly string[] | null): string[] | null {
  return texts === null ? null : texts.slice(0, MAXIMUM_LIST_ITEMS).map((text) => cutText(text, MAXIMUM_LIST_TEXT_LENGTH));
}

function storedDrive(drive: Drive): StoredDrive {
  return {
    name: cutText(drive.name, MAXIMUM_LIST_TEXT_LENGTH),
    driveType: driveTypeNames.get(drive.driveType) ?? 'Unknown',
    rootDirectory: cutText(drive.rootDirectory, MAXIMUM_LIST_TEXT_LENGTH),
    driveFormat: cutText(drive.driveFormat, MAXIMUM_LIST_TEXT_LENGTH),
    freeSpace: drive.freeSpace,
    totalSize: drive.totalSize,
    volumeLabel: cutText(drive.volumeLabel, MAXIMUM_LIST_TEXT_LENGTH),
  };
}
