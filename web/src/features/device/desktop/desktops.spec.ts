import { describe, expect, it } from 'vitest';

import { chosenDesktop } from './desktops.js';
import type { Desktop } from '../../../api/desktops.js';

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
  it('takes the one in the address', () => expect(chosenDesktop(DESKTOPS, '30')?.username).toBe('ben'));
  it('takes one at which somebody is, when the address names none', () =>
    expect(chosenDesktop(DESKTOPS, undefined)?.username).toBe('anna'));
  it('does the same when the one in the address is gone', () => expect(chosenDesktop(DESKTOPS, '99')?.username).toBe('anna'));
  it('takes the first when nobody is signed in', () => expect(chosenDesktop(DESKTOPS.slice(0, 1), undefined)?.processId).toBe(10));
  it('takes none when there is none', () => expect(chosenDesktop([], '10')).toBeUndefined());
});
