import '../src/ui/layers.css';
import '../src/ui/font.css';
import '../src/ui/tokens.css';
import '../src/ui/base.css';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';

import { queryClient } from '../src/api/queries.js';
import { DeviceUploads } from './DeviceUploads.js';
import { Dialogs } from './Dialogs.js';
import type { Shown } from './shown.js';
import { SortedGrid } from './SortedGrid.js';
import { UserMatrix } from './UserMatrix.js';

/*
 * One component with what surrounds it in a page, for the tests in `test/components`. It is no part of what is built for the service.
 */

const shown = JSON.parse(new URLSearchParams(location.search).get('show') ?? '') as Shown;

function Example(): ReactNode {
  switch (shown.name) {
    case 'dialogs':
      return <Dialogs {...shown} />;
    case 'grid':
      return <SortedGrid {...shown} />;
    case 'matrix':
      return <UserMatrix {...shown} />;
    case 'uploads':
      return <DeviceUploads {...shown} />;
  }
}

const router = createRouter({ routeTree: createRootRoute({ component: Example }), history: createMemoryHistory() });

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element "app".');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Suspense>
          {/* Links name routes of the front end; this page has none of them. */}
          <RouterProvider router={router as never} />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
