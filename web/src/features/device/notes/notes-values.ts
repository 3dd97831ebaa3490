import type { DeviceField } from '../../../api/devices/device-fields.js';
import type { DeviceNotes } from '../../../api/devices/device-notes.js';
import { type Versioned, versionAs } from '../../../state/versioned.js';
import type { FormValues } from '../../../ui/form/Form.js';

/** Limit of the service, in characters. */
export const MAXIMUM_NOTE_LENGTH = 10_000;
export const MAXIMUM_VALUE_LENGTH = 1_000;

/** Names of the controls: those of values are the names under which the service refuses them. */
export type NotesField = 'note' | `values[${number}].value`;

export const controlOf = (at: number): NotesField => `values[${at}].value`;

/** The value of a field on a device; empty for none. */
export const valueOf = ({ values }: DeviceNotes, { id }: Pick<DeviceField, 'id'>): string =>
  values.find(({ fieldId }) => fieldId === id)?.value ?? '';

/** Notes as the values of a form that shows these fields. */
export function notesIn(fields: readonly DeviceField[], version: Versioned<DeviceNotes>): Versioned<FormValues<NotesField>> {
  return versionAs(version, (notes) => ({
    note: notes.note,
    ...Object.fromEntries(fields.map((field, at) => [controlOf(at), valueOf(notes, field)])),
  }));
}
