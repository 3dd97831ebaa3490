import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { startHub, watchPage } from '../../live/hub.js';
import { ProofDialog } from '../sign-in/ProofDialog.js';
import { Alert } from './Alert.js';
import { BottomBar } from './BottomBar.js';
import { Navigation } from './Navigation.js';
import css from './Shell.module.css';
import { t } from './texts.js';
import { TopBar } from './TopBar.js';

/** The bar, the navigation and the page. */
export function Shell(): ReactNode {
  useEffect(() => {
    // After the first rows: nothing on the screen waits for the connection.
    const timer = setTimeout(() => void startHub(), 500);
    const stopWatching = watchPage();
    return () => {
      clearTimeout(timer);
      stopWatching();
    };
  }, []);
  return (
    <div className={css.shell}>
      <a href="#main" className={css.skip}>
        {t('skip')}
      </a>
      <TopBar />
      <div className={css.navigation}>
        <Navigation />
      </div>
      <main className={css.main} id="main">
        <Alert />
        <Outlet />
      </main>
      <BottomBar />
      <ProofDialog />
    </div>
  );
}
