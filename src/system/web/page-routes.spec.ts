import { describe, expect, it } from 'vitest';

import { PageRoutes } from './page-routes.js';

describe('the addresses of pages', () => {
  const routes = new PageRoutes(['/', '/devices', '/devices/$deviceId', '/devices/$deviceId/files', '/a.b']);

  it.each(['/', '/devices', '/devices/', '/Devices', '/devices/7', '/devices/7/', '/devices/%2e%2e', '/devices/$deviceId/files', '/a.b'])(
    'contain %s',
    (path) => expect(routes.has(path)).toBe(true),
  );

  it.each([
    '//',
    '/device',
    '/devicesx',
    '/devices//',
    '/devices/7/logs',
    '/devices/7/files/8',
    '//devices',
    '/x/devices',
    '/acb',
    '/devices/7//files',
  ])('do not contain %j', (path) => expect(routes.has(path)).toBe(false));

  it('do not exist without patterns', () => {
    for (const path of ['', '/', '/devices']) expect(new PageRoutes([]).has(path)).toBe(false);
  });

  it('are looked up without delay, at any length of the path', () => {
    // Processor time instead of elapsed time: the machine may be busy with something else.
    const before = process.cpuUsage();
    for (const piece of ['/', '/devices', '/devices/7', '/$']) expect(routes.has(piece.repeat(5_000))).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
