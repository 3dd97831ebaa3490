import './ui/layers.css';
import './ui/font.css';
import './ui/tokens.css';
import './ui/base.css';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type JSX, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';

import { isAboutScript, ProblemError } from './problem/problem.js';
import { queryClient } from './api/queries.js';
import { firstPageIsThere, lazyAfterFirstPage } from './first-load/first-page.js';
import { chosenLanguage, loadLanguage } from './i18n/language.js';
import { router } from './router.js';

const Toasts = lazyAfterFirstPage(async () => (await import('./ui/toast/Toasts.js')).Toasts);

// The code of the page comes while the service says who is signed in.
for (const route of router.getMatchedRoutes(location.pathname)[0]) void router.loadRouteChunk(route);
router.subscribe('onRendered', firstPageIsThere);

await loadLanguage(chosenLanguage());

/** Toasts outlive pages, and link to them. */
function WithToasts({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <>
      {children}
      <Suspense>
        <Toasts />
      </Suspense>
    </>
  );
}

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element "app".');
/** Reports faults of the program. Pages show refusals and code that could not be loaded themselves. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof ProblemError || isAboutScript(String(error)))) reportError(error);
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} InnerWrap={WithToasts} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
