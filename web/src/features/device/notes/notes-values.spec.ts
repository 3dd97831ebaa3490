import { describe, expect, it } from 'vitest';

import type { DeviceField } from '../../../api/devices/device-fields.js';
import { controlOf, notesIn, valueOf } from './notes-values.js';

const field = (id: string): DeviceField => ({ id, name: id, type: 'Text', isListed: false, position: 0, choices: [] });
const notes = { note: 'Behind the door', values: [{ fieldId: 'rack', value: 'B12' }] };

describe('the form of notes', () => {
  it('has a control for each field, also for those without a value', () => {
    expect(notesIn([field('owner'), field('rack')], { value: notes, tag: 'x' })).toEqual({
      value: { note: 'Behind the door', 'values[0].value': '', 'values[1].value': 'B12' },
      tag: 'x',
    });
    expect(controlOf(1)).toBe('values[1].value');
  });

  it('leaves out values of fields that are gone', () => {
    expect(notesIn([], { value: notes, tag: null }).value).toEqual({ note: 'Behind the door' });
    expect(valueOf(notes, { id: 'gone' })).toBe('');
  });
});
