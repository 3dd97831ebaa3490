import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { sessionQuery, useSession } from '../../access/session.js';
import { startHub, watchPage } from '../../live/hub.js';
import { classes } from '../../ui/classes.js';
import { Dock } from '../dock/Dock.js';
import { Proof } from '../sign-in/Proof.js';
import { Alert } from './Alert.js';
import { BottomBar } from './BottomBar.js';
import { Navigation } from './Navigation.js';
import css from './Shell.module.css';
import { useSignOutElsewhere } from './sign-out.js';
import { t } from './texts.js';
import { TopBar } from './TopBar.js';

/** The bar, the navigation and the page. While a page is left at the sign-out, there is nobody whom it is for. */
export function Shell(): ReactNode {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session !== null && <ShellOfSession />;
}

/** A session that reaches one device has nowhere else to go. */
function ShellOfSession(): ReactNode {
  const isForOneDevice = useSession().deviceId !== null;
  useSignOutElsewhere();
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
    <div className={classes(css.shell, isForOneDevice && css.bare)}>
      <a href="#main" className={css.skip}>
        {t('skip')}
      </a>
      <TopBar />
      {!isForOneDevice && (
        <div className={css.navigation}>
          <Navigation />
        </div>
      )}
      <main className={css.main} id="main">
        <Alert />
        <Outlet />
      </main>
      <Dock />
      {!isForOneDevice && <BottomBar />}
      <Proof />
    </div>
  );
}
