import { expect, it } from 'vitest';

import { listAround } from './list-around.js';

it.each([
  ['/tags/$tagId', '/tags'],
  ['/devices/$deviceId/files', '/devices'],
  ['/server/tenants/$tenantId/change-log', '/server/tenants'],
  ['/tags', null],
  ['/', null],
  ['/$name', null],
])('finds the list around %s: %s', (pattern, list) => {
  expect(listAround(pattern)).toBe(list);
});
