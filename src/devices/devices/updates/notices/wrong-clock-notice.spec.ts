import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { WrongClockNotice } from './wrong-clock-notice.js';

const MINUTE = 60_000;

describe('WrongClockNotice', () => {
  const warn = vi.fn<Logger['warn']>();
  let notice: WrongClockNotice;

  beforeEach(() => {
    warn.mockClear();
    notice = new WrongClockNotice(Object.assign(new Logger(), { warn }));
  });

  it('names a device once in ten minutes, with the error of its clock', () => {
    for (const now of [0, 1, 9 * MINUTE]) notice.note('a', -3_600_400, now);
    notice.note('b', 61_000, MINUTE);
    notice.note('a', -3_600_400, 10 * MINUTE);
    const behind = { deviceId: 'a', message: 'Timestamp expired. The clock of the device is 3600 s behind that of this server.' };
    const ahead = { deviceId: 'b', message: 'Timestamp expired. The clock of the device is 61 s ahead of that of this server.' };
    expect(warn.mock.calls).toEqual([[behind], [ahead], [behind]]);
  });

  it('suspects the clock of the server when very many devices are wrong', () => {
    for (let device = 0; device < 1000; device += 1) notice.note(`device ${device}`, MINUTE * 2, 0);
    expect(warn).toHaveBeenCalledTimes(101);
    expect(warn.mock.lastCall).toEqual([expect.stringContaining('Check the clock of this server.')]);
  });
});
