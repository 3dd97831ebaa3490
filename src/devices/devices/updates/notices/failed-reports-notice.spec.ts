import { expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { FailedReportsNotice } from './failed-reports-notice.js';

it('names a failed report every ten seconds, with the number of the others', () => {
  const error = vi.fn<Logger['error']>();
  const notice = new FailedReportsNotice(Object.assign(new Logger(), { error }));
  for (const [device, now] of [
    ['a', 5_000],
    ['b', 5_001],
    ['c', 14_999],
    ['d', 15_000],
    ['e', 60_000],
  ] as const) {
    notice.note(device, 'away', now);
  }
  const message = 'An error occurred while updating the device.';
  expect(error.mock.calls).toEqual([
    [{ message, deviceId: 'a', error: 'away' }],
    [{ message, deviceId: 'd', error: 'away', others: 2 }],
    [{ message, deviceId: 'e', error: 'away' }],
  ]);
});
