import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { forbidden, notFound, unauthorized } from '../../common/errors/errors.js';
import { Clock } from '../../common/runtime/clock.js';
import { RefusalLog } from './refusal-log.js';

class StandingClock extends Clock {
  time = 0;
  override milliseconds(): number {
    return this.time;
  }
}

const clock = new StandingClock();
let log: RefusalLog;
let warned: unknown[];

beforeEach(() => {
  warned = [];
  vi.spyOn(Logger.prototype, 'warn').mockImplementation((entry: unknown) => void warned.push(entry));
  log = new RefusalLog(clock);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('refusals', () => {
  it('are logged once for each source and window, with how many more there were', () => {
    for (let count = 0; count < 4; count += 1) log.note(unauthorized('Wrong key.'), { source: '192.0.2.1', requestId: String(count) });
    log.note(unauthorized('Wrong key.'), { source: '192.0.2.2' });
    log.note(forbidden('No right.'), { source: '192.0.2.1' });
    expect(warned).toEqual([
      { message: 'An authentication failed.', reason: 'Wrong key.', source: '192.0.2.1', requestId: '0' },
      { message: 'An authentication failed.', reason: 'Wrong key.', source: '192.0.2.2' },
      { message: 'A call was refused.', reason: 'No right.', source: '192.0.2.1' },
    ]);
    clock.time += 5 * 60_000;
    log.note(unauthorized('Wrong key.'), { source: '192.0.2.1' });
    log.note(unauthorized('Wrong key.'), { source: '192.0.2.2' });
    expect(warned.slice(3)).toEqual([
      { message: 'An authentication failed.', reason: 'Wrong key.', source: '192.0.2.1', furtherInTheLastWindow: 3 },
      { message: 'An authentication failed.', reason: 'Wrong key.', source: '192.0.2.2' },
    ]);
  });

  it('of other kinds are not logged', () => {
    log.note(notFound('The device'), { source: '192.0.2.1' });
    expect(warned).toEqual([]);
  });
});
