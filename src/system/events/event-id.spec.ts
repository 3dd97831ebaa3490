import { describe, expect, it } from 'vitest';

import { eventIdOf, markOf, parseEventId } from './event-id.js';

const TENANT = '01890000-0000-7000-8000-00000a1b2c3d';

describe('the id of an event', () => {
  it('has the number of the event and the mark of its tenant', () => {
    expect(eventIdOf(42n, TENANT)).toBe('42-0a1b2c3d');
    expect(parseEventId('42-0a1b2c3d')).toEqual({ number: 42n, mark: markOf(TENANT) });
  });

  it('can be the largest number of the database', () => {
    expect(parseEventId('9223372036854775807-0a1b2c3d')?.number).toBe(9_223_372_036_854_775_807n);
  });

  it.each([
    '',
    '42',
    '0-0a1b2c3d',
    '042-0a1b2c3d',
    '-1-0a1b2c3d',
    '42-0A1B2C3D',
    '42-0a1b2c3',
    '9223372036854775808-0a1b2c3d',
    ' 42-0a1b2c3d',
    '4e1-0a1b2c3d',
  ])('is nothing else: %j', (text) => {
    expect(parseEventId(text)).toBeNull();
  });
});
