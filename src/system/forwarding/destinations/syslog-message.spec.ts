import { describe, expect, it } from 'vitest';

import type { ForwardedLine } from '../forwarded-line.js';
import { shortened } from '../forwarded-line.js';
import { syslogMessage } from './syslog-message.js';

const line = (value: object): ForwardedLine => ({
  log: 'ChangeLog',
  number: '1',
  writtenAt: new Date('2026-11-27T10:05:00.123Z'),
  text: JSON.stringify(value),
});

describe('a message of syslog', () => {
  it('has the header of RFC 5424 and the line as ASCII', () => {
    const value = { name: 'Zoë 張 🙂\u007f\n' };
    const message = syslogMessage(line(value), { host: 'node 1.example', processId: 42 });
    const [header, text] = message.split(/ - (?=\{)/);
    expect(header).toBe('<110>1 2026-11-27T10:05:00.123Z node1.example device-management 42 ChangeLog');
    expect(text).toMatch(/^[ -~]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it.each([
    ['', '-'],
    ['ж', '-'],
    ['x'.repeat(300), 'x'.repeat(255)],
  ])('names a host "%s" in the form that is allowed', (host, expected) => {
    expect(syslogMessage(line({}), { host, processId: 1 }).split(' ')[2]).toBe(expected);
  });

  it('is shortened by the values of a change only', () => {
    const { text } = shortened(line({ id: 'x', entry: { id: 'y', beforeJson: '{}', afterJson: 'long' }, chain: null }));
    expect(JSON.parse(text)).toEqual({ id: 'x', entry: { id: 'y', beforeJson: null, afterJson: null }, chain: null, isShortened: true });
  });
});
