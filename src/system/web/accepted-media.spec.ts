import { expect, it } from 'vitest';

import { namesHtml } from './accepted-media.js';

it.each([
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['application/json, TEXT/HTML ; q=0.1', true],
  ['text/html;level=1', true],
  ['text/html;q=0, */*', false],
  ['text/html; q=0.000', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/html-sandboxed', false],
  ['', false],
  [undefined, false],
])('an Accept header %j names HTML: %s', (accept, expected) => {
  expect(namesHtml(accept)).toBe(expected);
});
