import { Link, useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, Suspense, useEffect, useRef } from 'react';

import { useSession } from '../../access/session.js';
import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { Icon } from '../../ui/icon/Icon.js';
import css from './Navigation.module.css';
import { navigationFor } from '../navigation.js';
import { t } from '../texts.js';

const ViewList = lazyAfterFirstPage(async () => (await import('../../features/devices/views/ViewList.js')).ViewList);

/** The pages that the user may see, in groups. Below the devices stand the views of their list. */
export function Navigation(): ReactNode {
  const groups = navigationFor(useSession());
  const pages = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // In a low window the current page may be further down the list.
  useEffect(() => {
    // Newer browsers answer with a promise, which an effect must not return.
    pages.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <nav ref={pages} className={css.navigation} aria-label={t('navigation')} data-region>
      {groups.map(({ text, entries }) => (
        <div key={text} className={css.group}>
          <div className={css.heading}>{t(text)}</div>
          {entries.map(({ to, text: entry, icon }) => (
            <Fragment key={to}>
              <Link to={to} className={css.link}>
                <Icon of={icon} />
                <span className={css.name}>{t(entry)}</span>
              </Link>
              {to === '/devices' && (
                <Suspense fallback={<div className={css.viewsToCome} aria-busy />}>
                  <ViewList />
                </Suspense>
              )}
            </Fragment>
          ))}
        </div>
      ))}
    </nav>
  );
}
