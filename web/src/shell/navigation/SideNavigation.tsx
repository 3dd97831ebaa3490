import { type ReactNode, Suspense } from 'react';

import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { Navigation } from './Navigation.js';
import css from './SideNavigation.module.css';

const NavigationToggle = lazyAfterFirstPage(async () => (await import('./NavigationToggle.js')).NavigationToggle);

/** The navigation beside the page. If it shows icons only, its names come out over the page for the pointer and the keyboard. */
export function SideNavigation(): ReactNode {
  return (
    <div className={css.rail}>
      <div className={css.panel}>
        <Navigation />
        <Suspense fallback={<div className={css.toggleToCome} aria-busy />}>
          <NavigationToggle />
        </Suspense>
      </div>
    </div>
  );
}
