import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { NotFound } from '../ui/states/NotFound.js';

export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** An address of no page has no layout around it. */
function NoSuchAddress(): ReactNode {
  return (
    <main>
      <NotFound />
    </main>
  );
}

export const Route = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NoSuchAddress });
