import { createRouter, lazyRouteComponent } from '@tanstack/react-router';

import { queryClient } from './api/queries.js';
import { routeTree } from './routes.gen.js';
import { RouteError } from './shell/RouteError.js';
import { parseSearch, stringifySearch } from './model/search-params.js';

export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The cache of queries decides about fresh data.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: lazyRouteComponent(() => import('./ui/states/NotFound.js'), 'NotFound'),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
