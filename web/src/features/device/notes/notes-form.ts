import type { DeviceField } from '../../../api/devices/device-fields.js';
import { readDeviceNotes, saveDeviceNotes } from '../../../api/devices/device-notes.js';
import type { Editable } from '../../../ui/edit/save-over.js';
import { controlOf, notesIn, type NotesField } from './notes-values.js';

/** The notes of a device, as a form with these fields changes them. */
export const notesOf = (deviceId: string, fields: readonly DeviceField[]): Editable<NotesField> => ({
  read: async () => notesIn(fields, await readDeviceNotes(deviceId)),
  async save({ note = '', ...typed }, tag) {
    const values = fields.map(({ id }, at) => ({ fieldId: id, value: typed[controlOf(at) as keyof typeof typed] ?? '' }));
    return notesIn(fields, await saveDeviceNotes(deviceId, { note: withLineFeeds(note), values }, tag));
  },
});

/** Browsers send line breaks of a form as CR LF. */
const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');
