import { describe, expect, it } from 'vitest';

import { textForUser } from '../../../state/user-data.js';
import { freeNumber, parseTerminals, type RememberedTerminal } from './terminal-list.js';

const USER = 'u';
const terminal: RememberedTerminal = {
  terminalId: '019a5b3c-6d9f-7c2e-8f10-2b5d7a9c4e61',
  deviceId: '019a5b3c-5e51-7fbb-81d8-0922a4cb1ea2',
  deviceName: 'srv-01',
  number: 1,
  isRaw: true,
};
const textOf = (...terminals: readonly unknown[]): string => textForUser(USER, terminals);

describe('parseTerminals', () => {
  it('reads remembered terminals back as they were written', () => {
    expect(parseTerminals(textOf(terminal), USER, 8)).toEqual([terminal]);
    const away = { ...terminal, isAway: true };
    expect(parseTerminals(textOf(away), USER, 8)).toEqual([away]);
  });

  it('gives no user the terminals of another user', () => {
    expect(parseTerminals(textOf(terminal), 'another', 8)).toEqual([]);
  });

  it.each([null, '', '{', '{"userId":"u"}', '{"userId":"u","value":{}}'])('reads no terminals from %j', (text) => {
    expect(parseTerminals(text, USER, 8)).toEqual([]);
  });

  it('leaves out entries that are no terminal', () => {
    const broken = [
      null,
      1,
      {},
      { ...terminal, terminalId: 'x' },
      { ...terminal, number: '1' },
      { ...terminal, isRaw: undefined },
      { ...terminal, isAway: 1 },
    ];
    expect(parseTerminals(textOf(...broken, terminal), USER, 8)).toEqual([terminal]);
  });

  it('reads no more terminals than may be open', () => {
    expect(parseTerminals(textOf(terminal, terminal, terminal), USER, 2)).toHaveLength(2);
  });
});

describe('freeNumber', () => {
  it('fills gaps between the numbers of terminals before it counts on', () => {
    expect(freeNumber([])).toBe(1);
    expect(freeNumber([1, 2])).toBe(3);
    expect(freeNumber([2, 3])).toBe(1);
  });
});
