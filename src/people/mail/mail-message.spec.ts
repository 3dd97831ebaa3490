import { describe, expect, it } from 'vitest';

import { messageProblem } from './mail-message.js';

const MESSAGE = { to: 'ann@example.org', subject: 'Hello', text: 'Line 1\r\nLine 2', html: '<p>Line 1</p>' };

describe('a message', () => {
  it.each(['ann@example.org', 'a.b+c@sub.example.org', "o'brien@example.org", 'jürgen@müller.example'])('can be sent to %s', (to) => {
    expect(messageProblem({ ...MESSAGE, to })).toBeNull();
  });

  it.each([
    '',
    'ann',
    'ann@',
    '@example.org',
    'ann@example.org, eve@example.org',
    'ann@example.org;eve@example.org',
    'Ann <ann@example.org>',
    'ann@example.org\r\nBcc: eve@example.org',
    'ann@example.org\nRCPT TO:<eve@example.org>',
    'ann@@example.org',
    'ann @example.org',
    '"ann"@example.org',
    'ann@[127.0.0.1]',
    `${'a'.repeat(250)}@example.org`,
  ])('does not go to %j', (to) => {
    expect(messageProblem({ ...MESSAGE, to })).toContain('recipient');
  });

  it.each(['Hello\r\nBcc: eve@example.org', 'Hello\n', 'Hello\0', 'x'.repeat(201)])('refuses the subject %j', (subject) => {
    expect(messageProblem({ ...MESSAGE, subject })).toContain('subject');
  });

  it('limits the length of its text', () => {
    expect(messageProblem({ ...MESSAGE, text: 'x'.repeat(64 * 1024) })).toBeNull();
    expect(messageProblem({ ...MESSAGE, text: 'x'.repeat(64 * 1024 + 1) })).toContain('text');
  });

  it('limits the length of its HTML', () => {
    expect(messageProblem({ ...MESSAGE, html: 'x'.repeat(128 * 1024) })).toBeNull();
    expect(messageProblem({ ...MESSAGE, html: 'x'.repeat(128 * 1024 + 1) })).toContain('HTML');
  });
});
