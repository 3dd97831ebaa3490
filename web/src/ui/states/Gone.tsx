import { Link, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { t } from '../later-texts.js';
import { listAround } from './list-around.js';
import css from './states.module.css';

/** Deleted, or not for this caller to see: both look alike on purpose. Leads to the list that it was in. */
export function Gone(): ReactNode {
  const list = useMatches({ select: (matches) => listAround(matches.at(-1)?.fullPath ?? '/') });
  return (
    <div className={css.state}>
      <p className={css.title}>{t('gone-title')}</p>
      <p>{t('gone-text')}</p>
      {list !== null && (
        <Link to={list} className="link">
          {t('gone-list')}
        </Link>
      )}
    </div>
  );
}
