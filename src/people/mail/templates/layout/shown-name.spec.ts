import { describe, expect, it } from 'vitest';

import { shortName, shownName } from './shown-name.js';

describe('a name in a subject', () => {
  it.each([
    ['Northwind IT & Söhne', 'Northwind IT & Söhne'],
    ['  two   spaces ', 'two spaces'],
    ['Acme\r\nBcc: eve@example.org', 'Acme Bcc: eve@example.org'],
    ['a\u2028b\u0000c', 'a b c'],
    // It would turn the rest of the line round.
    ['invoice\u202Efdp', 'invoicefdp'],
    ['zero\u200Bwidth', 'zerowidth'],
  ])('%j is %j', (name, shown) => {
    expect(shortName(name)).toBe(shown);
  });

  it('is shortened between characters', () => {
    expect(shortName('x'.repeat(60))).toBe('x'.repeat(60));
    expect(shortName('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
    expect(shortName('🙂'.repeat(61))).toBe(`${'🙂'.repeat(59)}…`);
    expect(shortName('broken \uD83D')).toBe('broken \uFFFD');
  });
});

describe('a name in a mail', () => {
  it.each(['https://evil.example/login', 'www.evil.example', 'evil.example', 'You won: evil.example/a', 'evil.example/a@b.example'])(
    '%s is no link',
    (name) => {
      const shown = shownName(name);
      expect(shown.replaceAll('\u200C', '')).toBe(name);
      expect(shown).not.toMatch(/:\/\/|[.:/][a-z]/);
    },
  );

  it.each(['dana@example.org', 'Dr. Schmidt', 'Northwind IT'])('%s stays as it is', (name) => {
    expect(shownName(name)).toBe(name);
  });
});
