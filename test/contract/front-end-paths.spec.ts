import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../src/access/authorization/guard/access-declarations.js';
import { previewApplication } from '../../src/describe-offline.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { FIRST_SEGMENTS_OF_PROGRAMS } from '../../src/system/web/serve-front-end.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';

/*
 * The front end is served in front of the routes, to browsers that open an address. These are the addresses of both: a page for a browser,
 * a route for scripts.
 */
const SHARED = ['GET /account/profile', 'GET /account/sessions', 'GET /device-access'];

let pages: readonly string[];
let routes: readonly DeclaredRoute[];

beforeAll(async () => {
  ({ pages } = await builtFrontEnd());
  ({ routes } = await previewApplication({
    Service_AppOptions__EnableApiBrowserUi: 'true',
    Service_AppOptions__EnableInteractiveBearerLogin: 'true',
  }));
});

describe('the addresses of the front end', () => {
  it('are fixed segments, and names that stand for one segment', () => {
    expect(pages.length).toBeGreaterThan(40);
    for (const page of pages) expect(page).toMatch(/^\/$|^(?:\/(?:[a-z][a-z-]*|\$[a-zA-Z]+))+$/);
  });

  it('differ from those of readable routes, except for the listed ones', () => {
    const paths = pages.map((page) => page.replaceAll(/\$\w+/g, newGuid()));
    const taken = routes.filter(({ method, pattern }) => method === 'GET' && paths.some((path) => pattern.test(path)));
    expect(taken.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(SHARED);
  });

  it('differ in the first segment from those of routes, so that an unknown route answers Problem Details', () => {
    const apart = routes.filter(({ path }) => !FIRST_SEGMENTS_OF_PROGRAMS.has(path.split('/')[1] ?? ''));
    expect(apart.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /device-access', 'POST /device-access']);
  });
});
