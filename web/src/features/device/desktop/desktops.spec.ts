import { describe, expect, it } from 'vitest';

import { chosenDesktop } from './desktops.js';
import type { Desktop } from '../../../api/devices/desktops.js';

const desktop = (processId: number, username: string): Desktop => ({
  processId,
  username,
  areRemoteControlPermissionsGranted: true,
  desktopName: 'Default',
  name: 'Console',
  systemSessionId: processId,
  type: 'Console',
});
const DESKTOPS = [desktop(10, ''), desktop(20, 'anna'), desktop(30, 'ben')];

describe('chosenDesktop', () => {
  it('takes the desktop in the address', () => expect(chosenDesktop(DESKTOPS, '30')?.username).toBe('ben'));
  it('takes a desktop with a signed-in user if the address names none', () =>
    expect(chosenDesktop(DESKTOPS, undefined)?.username).toBe('anna'));
  it('takes a desktop with a signed-in user if the one in the address is gone', () =>
    expect(chosenDesktop(DESKTOPS, '99')?.username).toBe('anna'));
  it('takes the first desktop if nobody is signed in', () => expect(chosenDesktop(DESKTOPS.slice(0, 1), undefined)?.processId).toBe(10));
  it('takes no desktop if there is none', () => expect(chosenDesktop([], '10')).toBeUndefined());
});
