import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** Most devices of one request. */
const MOST_DEVICES = 500;

/** The values of a device by the ids of the fields that lists show. */
export type ListedValues = ReadonlyMap<string, string>;

/** Reads the values of devices, in as few requests as possible. Devices that the user may not read are left out. */
export async function readListedValues(deviceIds: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, ListedValues>> {
  const values = new Map<string, ListedValues>();
  for (let start = 0; start < deviceIds.length; start += MOST_DEVICES) {
    const body = { deviceIds: deviceIds.slice(start, start + MOST_DEVICES) };
    const { items } = await bodyOf(api.POST('/api/inventory/devices/values', { body, signal }));
    for (const item of items) values.set(item.deviceId, new Map(item.values.map(({ fieldId, value }) => [fieldId, value])));
  }
  return values;
}

interface Waiting {
  resolve(this: void, values: ListedValues): void;
  reject(this: void, error: unknown): void;
}

/** Rows that were drawn in this turn and wait for their values. */
let waiting = new Map<string, Waiting>();

const NONE: ListedValues = new Map();

/** Reads the values of a device together with those of all others that are asked for in the same turn. */
function readTogether(deviceId: string): Promise<ListedValues> {
  return new Promise((resolve, reject) => {
    if (waiting.size === 0) setTimeout(() => void readWaiting());
    waiting.set(deviceId, { resolve, reject });
  });
}

async function readWaiting(): Promise<void> {
  const asked = waiting;
  waiting = new Map();
  try {
    const values = await readListedValues([...asked.keys()]);
    for (const [deviceId, { resolve }] of asked) resolve(values.get(deviceId) ?? NONE);
  } catch (error) {
    for (const { reject } of asked.values()) reject(error);
  }
}

/** The values that a device shows in lists. */
export const listedValuesQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-notes', 'listed', deviceId],
    queryFn: () => readTogether(deviceId),
    staleTime: FRESH.list,
  });
