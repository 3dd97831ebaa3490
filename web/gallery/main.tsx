import '../src/ui/layers.css';
import '../src/ui/font.css';
import '../src/ui/tokens.css';
import '../src/ui/base.css';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Toasts } from '../src/ui/toast/Toasts.js';
import { Gallery } from './Gallery.js';

/*
 * Every part of the kit in every state, to look at during development: `npm run dev`, then `/gallery.html`. `?part=` shows one section,
 * `?dir=rtl` the other direction. The build leaves it out.
 */

const params = new URLSearchParams(location.search);
const direction = params.get('dir') === 'rtl' ? 'rtl' : 'ltr';
document.documentElement.dir = direction;

const router = createRouter({ routeTree: createRootRoute({ component: () => <Gallery only={params.get('part')} /> }) });

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element "app".');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        <QueryClientProvider client={new QueryClient()}>
          {/* Links of the kit name routes of the front end; the gallery has none of them. */}
          <RouterProvider router={router as never} />
          <Toasts />
        </QueryClientProvider>
      </DirectionProvider>
    </CSPProvider>
  </StrictMode>,
);
