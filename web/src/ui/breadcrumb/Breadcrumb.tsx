import { createLink } from '@tanstack/react-router';
import { ChevronRight } from 'lucide';
import { Children, type ComponentPropsWithRef, type ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { t } from '../later-texts.js';
import css from './Breadcrumb.module.css';

interface BreadcrumbProps {
  /** `Crumb` elements from the outermost page on. */
  readonly children: ReactNode;
  /** The page itself; its heading says the same. */
  readonly current: ReactNode;
}

/** The way back to the pages that this one lies in. For pages two deep or more. */
export function Breadcrumb({ children, current }: BreadcrumbProps): ReactNode {
  return (
    <nav aria-label={t('breadcrumb')}>
      <ol className={css.crumbs}>
        {Children.map(children, (crumb) => (
          <li className={css.crumb}>
            {crumb}
            <Icon of={ChevronRight} className={css.divider} />
          </li>
        ))}
        <li className={classes(css.crumb, css.current)} aria-current="page">
          <span className="cut">{current}</span>
        </li>
      </ol>
    </nav>
  );
}

function CrumbLink({ className, ...anchor }: ComponentPropsWithRef<'a'>): ReactNode {
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is among the properties
  return <a className={classes(css.link, className)} {...anchor} />;
}

/** A page on the way. Takes the properties of `Link`. */
export const Crumb = createLink(CrumbLink);
