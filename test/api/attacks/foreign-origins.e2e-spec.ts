import { describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { detailOf } from '../../support/callers/callers.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { complaints, keyOf, MATRIX_SETTINGS, routesOf } from '../matrix/calling.js';

/*
 * A foreign web page lets the browser of its visitor call the service: the browser adds the visitor's session cookie by itself.
 * The page must not be able to act as the visitor, whatever the route. Callers that bring a key of their own are not concerned.
 */

const server = testServer(MATRIX_SETTINGS);
const tenant = testTenant(server);
const cookie = `${SESSION_COOKIE}=claims-to-be-one`;

describe('a foreign page that acts with the cookie of its visitor', () => {
  const calls: readonly [string, string][] = [
    ['POST', '/api/v1/tags'],
    ['PUT', '/api/v1/tags/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/api/v1/users/00000000-0000-4000-8000-000000000000'],
  ];

  function call([method, path]: readonly [string, string], headers: Record<string, string>): Promise<ApiAnswer> {
    return server.client(headers).call(method, path, { query: { tenantId: tenant.id } });
  }

  it('is refused by every route but those that only read', async () => {
    const routes = routesOf(server).filter(({ method }) => method !== 'GET');
    expect(routes.length).toBeGreaterThan(150);
    const passed = await complaints(routes, async (route) => {
      const path = route.path.replaceAll(/:\w+/g, newGuid());
      const answer = await call([route.method, path], { cookie, origin: 'https://evil.example' });
      const isRefused = answer.status === 403 && answer.text.includes('A page of another origin');
      return isRefused ? null : `${keyOf(route)}: ${answer.status} ${answer.text}`;
    });
    expect(passed).toEqual([]);
  });

  it.each(calls)('is refused: %s %s', async (method, path) => {
    const answer = await call([method, path], { cookie, origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect(detailOf(answer)).toContain('A page of another origin');
  });

  it('is refused without an origin to name (a sandboxed frame, a file)', async () => {
    expect((await call(calls[0], { cookie, origin: 'null' })).status).toBe(403);
  });

  it('is told apart from pages of the service, and from callers without cookies', async () => {
    expect((await call(calls[0], { cookie, origin: server.url })).status).toBe(401);
    expect((await call(calls[0], { cookie })).status).toBe(401);
    expect((await server.client().get('/api/v1/server-stats', { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });
});
