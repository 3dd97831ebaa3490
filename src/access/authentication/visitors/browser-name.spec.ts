import { expect, it } from 'vitest';

import { browserName } from './browser-name.js';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', 'Chrome on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Microsoft Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.14.1', null],
  ['', null],
  ['   ', null],
  [null, null],
])('the header %s names the browser %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

it('the name of a browser is read at once from a long or hostile text', () => {
  // Processor time instead of elapsed time: the machine may be busy with something else.
  const before = process.cpuUsage();
  for (const text of ['('.repeat(100_000), 'Mozilla/5.0 '.repeat(10_000), 'a/'.repeat(50_000)]) browserName(text);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});
