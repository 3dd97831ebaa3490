import { describe, expect, it } from 'vitest';

import { textForUser } from '../../../state/user-data.js';
import { parseScreens } from './screen-list.js';

const screen = {
  screenId: '01a219f1-5c28-774c-8212-d2731a0fa945',
  deviceId: '01a219f1-5c28-774c-8212-d2731a0fa946',
  deviceName: 'till 4',
  port: 5900,
};

describe('screens that a tab remembers', () => {
  it('come back to their user, and to no one else', () => {
    const text = textForUser('dana', [screen, { ...screen, port: 5901 }, screen]);
    expect(parseScreens(text, 'dana', 2)).toEqual([screen, { ...screen, port: 5901 }]);
    expect(parseScreens(text, 'kim', 2)).toEqual([]);
    expect(parseScreens(null, 'dana', 2)).toEqual([]);
  });

  it.each(['', '{', 'screens', [1], [null], [{ ...screen, port: 'x' }], [{ ...screen, deviceId: '../tags' }]])(
    'are not read from %j',
    (value) => expect(parseScreens(textForUser('dana', value), 'dana', 8)).toEqual([]),
  );
});
