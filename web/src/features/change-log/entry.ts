import type { Schemas } from '../../api/client.js';
import type { Json } from '../../ui/diff/changes.js';

export type Entry = Schemas['ChangeLogEntryDto'];
export type EntrySubject = Schemas['EntrySubjectDto'];

/** Finds the name for an id; undefined if the log knows none. */
export type NameOf = (id: string) => string | undefined;

/** A state as it was stored, as fields; undefined where there is none or it cannot be read. */
export function stateOf(json: string | null): Json | undefined {
  if (json === null) return undefined;
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

/** The fields of an entry: those after the change, and those before it that are gone. */
export function fieldsOf({ beforeJson, afterJson }: Pick<Entry, 'beforeJson' | 'afterJson'>): Readonly<Record<string, unknown>> {
  return { ...recordOf(stateOf(beforeJson)), ...recordOf(stateOf(afterJson)) };
}

const recordOf = (state: Json | undefined): Readonly<Record<string, unknown>> =>
  typeof state === 'object' && state !== null && !Array.isArray(state) ? (state as Readonly<Record<string, unknown>>) : {};
