import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { t } from '../later-texts.js';
import { EmptyState } from './EmptyState.js';
import css from './states.module.css';

/** No page has this address. */
export function NotFound(): ReactNode {
  return (
    <EmptyState
      title={<h1>{t('not-found-title')}</h1>}
      actions={
        <Link to="/devices" className="link">
          {t('not-found-devices')}
        </Link>
      }
    >
      {t('not-found-text')}
    </EmptyState>
  );
}

/** The same in a window with nothing else: such an address has no layout around it. */
export function NotFoundAlone(): ReactNode {
  return (
    <main className={css.alone}>
      <NotFound />
    </main>
  );
}
