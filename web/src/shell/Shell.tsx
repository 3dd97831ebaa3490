import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';

import { sessionQuery, useSession } from '../access/session.js';
import { keepEarlyKeys } from '../first-load/early-keys.js';
import { lazyAfterFirstPage } from '../first-load/first-page.js';
import { opensPalette } from '../keyboard/palette-key.js';
import { classes } from '../ui/classes.js';
import { isPhone, useMedia } from '../ui/media.js';
import css from './Shell.module.css';
import { SideNavigation } from './navigation/SideNavigation.js';
import { t } from './texts.js';
import { TopBar } from './TopBar.js';

const Alert = lazy(async () => ({ default: (await import('./Alert.js')).Alert }));
const BottomBar = lazy(async () => ({ default: (await import('./navigation/BottomBar.js')).BottomBar }));
const Later = lazyAfterFirstPage(async () => (await import('./Later.js')).Later);

// From the first rendering on, for later listeners.
keepEarlyKeys(opensPalette);

/** The bar, the navigation and the page. Nothing is drawn while nobody is signed in, as at the end of a sign-out. */
export function Shell(): ReactNode {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session !== null && <ShellOfSession />;
}

/** A session for one device has no navigation: it cannot open anything else. */
function ShellOfSession(): ReactNode {
  const { alert, deviceId } = useSession();
  // The window of a single terminal shows nothing else.
  const isAlone = useSearch({ strict: false }).alone !== undefined;
  const isForOneDevice = isAlone || deviceId !== null;
  const isSmall = useMedia(isPhone);
  return (
    <div className={classes(css.shell, isForOneDevice && css.bare, isAlone && css.alone)}>
      <a href="#main" className={css.skip}>
        {t('skip')}
      </a>
      {!isAlone && <TopBar />}
      {!isForOneDevice && <SideNavigation />}
      <main className={css.main} id="main" data-region>
        {alert !== null && (
          <Suspense>
            <Alert />
          </Suspense>
        )}
        <Outlet />
      </main>
      <Suspense fallback={<div hidden aria-busy />}>
        <Later />
      </Suspense>
      {!isForOneDevice && isSmall && (
        <Suspense fallback={<div className={css.bottomToCome} aria-busy />}>
          <BottomBar />
        </Suspense>
      )}
    </div>
  );
}
