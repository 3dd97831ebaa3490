import { type ReactNode, useEffect, useRef } from 'react';

import { formatNumber } from '../../i18n/format.js';
import { classes } from '../classes.js';
import css from './Page.module.css';

/** Product name at the end of every title. */
const PRODUCT = 'Device management';

interface PageProps {
  readonly title: string;
  /** Parts of the browser's title between this page's and the product's name. */
  readonly within?: readonly (string | null | undefined)[];
  /** The way back to the pages that this one lies in: a Breadcrumb. */
  readonly way?: ReactNode;
  /** Number of things that the page lists. */
  readonly count?: number;
  readonly actions?: ReactNode;
  /** The page fills the window, and its contents scroll. */
  readonly fill?: boolean;
  readonly children: ReactNode;
}

/** A page under the shell: its heading, its actions, its content. The heading gets focus when the page appears. */
export function Page({ title, within = [], way, count, actions, fill = false, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const fullTitle = [title, ...within, PRODUCT].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = fullTitle;
  }, [fullTitle]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={classes(css.page, fill && css.fill)}>
      <div className={css.top}>
        {way}
        <div className={css.head}>
          <h1 className={css.title} ref={heading} tabIndex={-1}>
            {title}
            {count !== undefined && <span className={css.count}>{formatNumber(count)}</span>}
          </h1>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </div>
      </div>
      {children}
    </div>
  );
}
