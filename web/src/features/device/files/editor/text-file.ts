import { queryOptions } from '@tanstack/react-query';

import { contentsQuery, readBytes, writeBytes } from '../../../../api/devices/files.js';
import { queryClient } from '../../../../api/queries.js';
import { type Entry, MAX_TEXT_BYTES } from '../entries.js';
import { joined } from '../paths.js';
import { decode, type Encoding, encode } from './encoding.js';

/** The marks of a changed file: agents send no others. */
export type Stamp = Pick<Entry, 'size' | 'lastModified'>;

/** A file as it was read or saved last. */
export type TextFile =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: Encoding; readonly stamp: Stamp; readonly canWrite: boolean }
  | { readonly kind: 'binary' | 'large' | 'missing' };

export interface Place {
  readonly deviceId: string;
  readonly directory: string;
  readonly name: string;
}

/** The text of a file. It is read again only on request, as it is being edited. */
export const textQuery = (place: Place) =>
  queryOptions({
    queryKey: ['file-text', place.deviceId, place.directory, place.name],
    queryFn: ({ signal }) => readText(place, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

async function readText(place: Place, signal: AbortSignal): Promise<TextFile> {
  const { deviceId, directory, name } = place;
  // Before its bytes: a change after that is noticed when it is saved.
  const entry = await entryOf(place);
  if (entry === undefined || entry.isDirectory) return { kind: 'missing' };
  if (entry.size > MAX_TEXT_BYTES) return { kind: 'large' };
  const bytes = await readBytes(deviceId, joined(directory, name), MAX_TEXT_BYTES, signal);
  if (bytes === null) return { kind: 'large' };
  const decoded = decode(bytes);
  return decoded === null ? { kind: 'binary' } : { kind: 'text', ...decoded, stamp: entry, canWrite: entry.canWrite };
}

/** Outcome of saving. Nothing is written but for `saved`. */
export type Saved =
  | { readonly outcome: 'saved' }
  /** It has changed since; `now` is what is there, undefined if it was deleted. */
  | { readonly outcome: 'changed'; readonly now: Stamp | undefined }
  /** The encoding does not have these characters. */
  | { readonly outcome: 'unencodable'; readonly missing: string }
  | { readonly outcome: 'large' };

/** Writes a text, unless the file has changed since it was read. `known` is null to overwrite it anyway. */
export async function saveText(place: Place, text: string, encoding: Encoding, known: Stamp | null): Promise<Saved> {
  const bytes = encode(text, encoding);
  if (!(bytes instanceof Uint8Array)) return { outcome: 'unencodable', missing: bytes.missing };
  if (bytes.length > MAX_TEXT_BYTES) return { outcome: 'large' };
  const now = known === null ? undefined : await entryOf(place);
  if (known === null || (now !== undefined && isSame(now, known))) await writeBytes(place.deviceId, place.directory, place.name, bytes);
  // The answer to an attempt may have been lost: then the file has this text already.
  else if (now?.size !== bytes.length || !(await hasBytes(place, bytes))) return { outcome: 'changed', now };
  // It is saved, whether its new marks can be read or not. Without them, or with those of another text, the next save asks first.
  const after = await entryOf(place).catch(() => undefined);
  const stamp = after?.size === bytes.length ? after : { size: -1, lastModified: '' };
  const file: TextFile = { kind: 'text', text, encoding, stamp, canWrite: true };
  queryClient.setQueryData(textQuery(place).queryKey, file);
  return { outcome: 'saved' };
}

const isSame = (one: Stamp, other: Stamp): boolean =>
  one.size === other.size && Date.parse(one.lastModified) === Date.parse(other.lastModified);

/** True if the file on the device has these bytes. */
async function hasBytes({ deviceId, directory, name }: Place, bytes: Uint8Array): Promise<boolean> {
  const there = await readBytes(deviceId, joined(directory, name), bytes.length);
  return there?.length === bytes.length && there.every((byte, at) => byte === bytes[at]);
}

/** The file as the device lists it now; undefined if it does not. */
async function entryOf({ deviceId, directory, name }: Place): Promise<Entry | undefined> {
  const { items } = await queryClient.fetchQuery({ ...contentsQuery(deviceId, directory), staleTime: 0 });
  return items?.find((entry) => entry.name === name);
}
