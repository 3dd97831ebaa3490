import { describe, expect, it } from 'vitest';

import { portOf } from './port.js';

describe('portOf', () => {
  it.each(['1', '5901', '65535'])('takes port %s', (text) => expect(portOf(text)).toBe(Number(text)));
  it.each([undefined, '', '0', '-1', '65536', '59.5', 'vnc'])('takes port 5900 for %s', (text) => expect(portOf(text)).toBe(5900));
});
