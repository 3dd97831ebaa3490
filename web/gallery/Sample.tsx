import type { ReactNode } from 'react';

import { classes } from '../src/ui/classes.js';
import css from './Gallery.module.css';

/** One part in one state. */
export function Sample({
  title,
  whole = false,
  children,
}: {
  readonly title: string;
  /** As wide as the window. */
  readonly whole?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={classes(css.sample, whole && css.whole)}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

export const LONG_NAME = 'Ops-Workstation-Frankfurt-Building-7-Floor-12-Reception-Desk-East-Wing-Backup-0042.corp.example.internal';
export const ARABIC = 'خادم الاستقبال الرئيسي';
