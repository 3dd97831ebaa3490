import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { TopBar } from './TopBar.js';
import { Navigation } from './Navigation.js';
import css from './Shell.module.css';
import { t } from './texts.js';

/** The bar, the navigation and the page. */
export function Shell(): ReactNode {
  return (
    <div className={css.shell}>
      <a href="#main" className={css.skip}>
        {t('skip')}
      </a>
      <TopBar />
      <Navigation />
      <main className={css.main} id="main">
        <Outlet />
      </main>
    </div>
  );
}
