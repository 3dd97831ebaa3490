import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { t } from '../texts.js';
import { EmptyState } from './EmptyState.js';

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
