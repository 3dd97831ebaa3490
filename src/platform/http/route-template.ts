import type { Request } from 'express';

/** Stands for the route of requests that no route of the API answered: pages, their files, and unknown paths. */
const NO_ROUTE = 'other';

/** The template of the route that answered a request, without values of the caller. Known once the request was routed. */
export function routeTemplateOf({ route, path }: Request): string {
  const template = (route as { readonly path?: unknown } | undefined)?.path;
  if (typeof template === 'string') return template;
  return path.startsWith('/hubs/') ? '/hubs' : NO_ROUTE;
}
