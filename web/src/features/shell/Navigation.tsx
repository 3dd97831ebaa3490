import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import css from './Navigation.module.css';
import { navigationFor } from './navigation.js';
import { t } from './texts.js';

/** The pages that the user may see, in groups. */
export function Navigation(): ReactNode {
  const groups = navigationFor(useSession());
  return (
    <nav className={css.navigation} aria-label={t('navigation')}>
      {groups.map(({ text, entries }) => (
        <div key={text} className={css.group}>
          <div className={css.heading}>{t(text)}</div>
          {entries.map(({ to, text: entry, icon: Icon }) => (
            <Link key={to} to={to} className={css.link}>
              <Icon size={16} strokeWidth={1.75} aria-hidden />
              {t(entry)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
