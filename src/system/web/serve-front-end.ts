import type { RequestHandler } from 'express';

import { DEVICE_ACCESS_PATH, namesLogonToken } from '../../access/authentication/schemes/scheme-selection.js';
import { sendPlainPage } from '../../platform/http/problems/plain-page.js';
import { namesHtml } from './accepted-media.js';
import { ASSETS_PATH, type FrontEnd } from './front-end.js';

/** The first segments of paths that answer to programs. There, only addresses of pages are the front end's. */
export const FIRST_SEGMENTS_OF_PROGRAMS: ReadonlySet<string> = new Set([
  'account',
  'alive',
  'api',
  'api-browser',
  'assets',
  'downloads',
  'health',
  'hubs',
  'openapi',
  'relay',
]);

const NOT_BUILT = {
  title: 'The service is running without its pages',
  text: 'The front end was not built. Run "npm run web:build" in the folder of the service, and start the service again.',
};

/**
 * Serves the front end. It stands in front of the routes, because some addresses are those of a page for a browser and of a route for
 * scripts; `test/contract/front-end-paths.spec.ts` lists them. Everything that is served here is public: it holds no data.
 *
 * - A file of the build answers at its exact path.
 * - A request that names HTML is answered with the page: 200 at the address of a page, 404 elsewhere.
 * - Requests of programs pass, and so does the link of a logon token, which signs a browser in first.
 */
export function serveFrontEnd(frontEnd: FrontEnd): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request;
    if ((method !== 'GET' && method !== 'HEAD') || path.startsWith('/api/')) return next();
    const file = frontEnd.file(path);
    if (file !== undefined) return file.send(request, response);
    if (path.startsWith(ASSETS_PATH)) return void response.status(404).setHeader('Content-Length', 0).end();
    if (!namesHtml(request.headers.accept) || opensLink(path, request.url)) return next();
    const isPage = frontEnd.routes.has(path);
    if (!isPage && FIRST_SEGMENTS_OF_PROGRAMS.has(firstSegment(path))) return next();
    response.vary('Accept');
    if (frontEnd.page === null) sendPlainPage(response, path === '/' ? 200 : 404, NOT_BUILT);
    else if (isPage) frontEnd.page.send(request, response);
    else frontEnd.page.sendNotFound(request, response);
  };
}

function opensLink(path: string, url: string): boolean {
  return path.toLowerCase().startsWith(DEVICE_ACCESS_PATH) && namesLogonToken(url);
}

/** In lower case, because routes match in any case. */
function firstSegment(path: string): string {
  const [, segment = ''] = path.split('/', 2);
  return segment.toLowerCase();
}
