import { describe, expect, it } from 'vitest';

import { textForUser } from '../../../state/user-data.js';
import { parseDesktops } from './desktop-list.js';

const DESKTOP = {
  desktopId: '6f9619ff-8b86-4d11-b42d-00c04fc964ff',
  deviceId: '6f9619ff-8b86-4d11-b42d-00c04fc964fe',
  deviceName: 'srv-01',
  processId: 12,
  systemSessionId: 1,
  type: 'Console',
  username: 'anna',
  name: 'Console',
  asksFirst: false,
};

describe('the remembered desktops', () => {
  it('are those of the user', () => {
    expect(parseDesktops(textForUser('anna', [DESKTOP, DESKTOP]), 'anna', 1)).toEqual([DESKTOP]);
    expect(parseDesktops(textForUser('anna', [DESKTOP]), 'ben', 8)).toEqual([]);
  });

  it('are none in a text that is not ours', () => {
    for (const other of [null, 'x', { ...DESKTOP, type: 'Other' }, { ...DESKTOP, processId: '12' }])
      expect(parseDesktops(textForUser('anna', [other]), 'anna', 8)).toEqual([]);
    expect(parseDesktops('[', 'anna', 8)).toEqual([]);
  });
});
