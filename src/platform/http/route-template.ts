import type { Request } from 'express';

/** Stands for the route of requests that no route of the API answered: pages, their files, and unknown paths. */
const NO_ROUTE = 'other';

/** The template of the route that answered a request, without values of the caller. Known once the request was routed. */
export function routeTemplateOf(request: Request): string {
  const template = (request.route as { readonly path?: unknown } | undefined)?.path;
  if (typeof template === 'string') return template;
  // Express reads the path from the address each time.
  return request.path.startsWith('/hubs/') ? '/hubs' : NO_ROUTE;
}
