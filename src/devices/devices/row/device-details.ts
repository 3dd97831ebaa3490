import { hash } from 'node:crypto';

import { DriveType, type DeviceUpdateRequestDto, type Drive } from '#libs/contracts';

import {
  fieldOf,
  fieldsFrom,
  type CompleteDetails,
  type DeviceDetails,
  type FieldName,
  type ReportedFigures,
  type StoredDrive,
} from './device-fields.js';

/** Most users, network adapters and drives that are stored for a device. They bound the size of its row for every report. */
const MAXIMUM_LIST_ITEMS = 256;
const MAXIMUM_LIST_TEXT_LENGTH = 256;

const DETAIL_NAMES = fieldsFrom('details');

const driveTypeNames: ReadonlyMap<number, string> = new Map(Object.entries(DriveType.values).map(([name, value]) => [value, name]));

/** Checks that the report contains every detail, so that nothing of the stored row is needed to describe the device. */
export function isComplete(details: DeviceDetails): details is CompleteDetails {
  return !Object.values(details).includes(null);
}

/**
 * A short text that differs when any detail differs. Connections keep it instead of the details, to save memory; the row keeps it, so that
 * an agent's first report through a connection is compared without reading the details. The order of the members goes into it.
 */
export function digestOf(details: DeviceDetails): string {
  return hash('sha1', JSON.stringify(details), 'base64');
}

/** The figures of an agent's report. */
export function figuresOf({ cpuUtilization, totalMemory, usedMemory, totalStorage, usedStorage }: DeviceUpdateRequestDto): ReportedFigures {
  return { cpuUtilization, totalMemory, usedMemory, totalStorage, usedStorage };
}

/** The details of an agent's report. Texts and lists that are too long for their columns are cut, never refused. */
export function detailsOf(update: DeviceUpdateRequestDto): DeviceDetails {
  return detailsBy((name) => storable(update[name], name)) as DeviceDetails;
}

/** The details with an empty text or list in place of each null. */
export function withoutGaps(details: DeviceDetails): CompleteDetails {
  return isComplete(details) ? details : (detailsBy((name) => details[name] ?? emptyValue(name)) as CompleteDetails);
}

/** NUL and halves of surrogate pairs, which PostgreSQL cannot store, and controls of writing direction, which disguise names. */
const LEFT_OUT = /[\0\p{Bidi_Control}\p{Surrogate}]/gu;

/** The text cut to a number of UTF-16 units, without the characters of {@link LEFT_OUT}. */
export function cutText(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text;
  return cut.replace(LEFT_OUT, '');
}

/** A reported value as the column of its field takes it. */
function storable(value: DeviceUpdateRequestDto[keyof DeviceDetails], name: FieldName): unknown {
  if (typeof value === 'string') return cutText(value, fieldOf(name).maxLength ?? Infinity);
  // The signature covers the nulls of lists; nothing else needs them.
  return Array.isArray(value)
    ? value
        .filter((item) => item !== null)
        .slice(0, MAXIMUM_LIST_ITEMS)
        .map(storableItem)
    : value;
}

function storableItem(item: string | Drive): string | StoredDrive {
  return typeof item === 'string' ? cutText(item, MAXIMUM_LIST_TEXT_LENGTH) : storedDrive(item);
}

/** A reported drive as it is stored. */
function storedDrive(drive: Drive): StoredDrive {
  return {
    name: cutText(drive.name ?? '', MAXIMUM_LIST_TEXT_LENGTH),
    driveType: driveTypeNames.get(drive.driveType) ?? 'Unknown',
    rootDirectory: cutText(drive.rootDirectory ?? '', MAXIMUM_LIST_TEXT_LENGTH),
    driveFormat: cutText(drive.driveFormat ?? '', MAXIMUM_LIST_TEXT_LENGTH),
    freeSpace: drive.freeSpace,
    totalSize: drive.totalSize,
    volumeLabel: cutText(drive.volumeLabel ?? '', MAXIMUM_LIST_TEXT_LENGTH),
  };
}

/** An empty value of a detail that agents may leave out: a text or a list. */
function emptyValue(name: FieldName): '' | readonly never[] {
  return fieldOf(name).type === 'text' ? '' : [];
}

/** An object with all details, in the order of the table. A loop is faster than Object.fromEntries. */
function detailsBy(value: (name: keyof DeviceDetails) => unknown): Partial<Record<keyof DeviceDetails, unknown>> {
  const details: Partial<Record<keyof DeviceDetails, unknown>> = {};
  for (const name of DETAIL_NAMES) details[name] = value(name);
  return details;
}
