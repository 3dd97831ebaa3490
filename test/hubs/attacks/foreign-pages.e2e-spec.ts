/*
 * A page of a foreign origin opens a hub connection in the browser of a signed-in user, to act with the cookie that the
 * browser adds by itself. Browsers let pages open WebSockets to any host and name the page's origin, so that the server has to refuse.
 */
import { describe, expect, it } from 'vitest';

import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { testServer } from '../../support/setup/test-server.js';
import { upgrade } from './raw-hub-client.js';

const CORS_ORIGIN = 'https://pages.example';

describe.each([VIEWER_HUB_PATH, AGENT_HUB_PATH])('pages that connect to %s', (path) => {
  const server = testServer({ Service_AppOptions__EnableCors: 'true', Service_AppOptions__CorsAllowedOrigins: CORS_ORIGIN });

  async function statusesFor(headers: Record<string, string>): Promise<(number | undefined)[]> {
    const credential = { 'x-api-key': ROOT_KEY };
    const negotiated = await fetch(`${server.url}${path}/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { ...credential, ...headers },
    });
    const upgraded = await upgrade(server, path, { ...credential, ...headers });
    upgraded.destroy();
    return [negotiated.status, 'statusCode' in upgraded ? upgraded.statusCode : 101];
  }

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example'])('are refused from the origin %s', async (origin) => {
    expect(await statusesFor({ origin })).toEqual([403, 403]);
  });

  it('connect from the own origin, from one that CORS allows, and without one as programs do', async () => {
    for (const headers of [{ origin: server.url }, { origin: CORS_ORIGIN }, {}] as Record<string, string>[]) {
      expect(await statusesFor(headers)).toEqual([200, 101]);
    }
  });
});
