import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';

import css from './SignedOutLayout.module.css';
import { t } from '../../parts/sign-in/texts.js';

/** The product's mark above one narrow column. */
export function SignedOutLayout(): ReactNode {
  return (
    <div className={css.layout}>
      <header className={css.mark}>
        <img src="/favicon.svg" alt="" width={28} height={28} />
        {t('product')}
      </header>
      <main className={css.column}>
        <Suspense fallback={<div aria-busy />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

interface ColumnHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The heading of a page in that column, with a sentence below it. */
export function ColumnHead({ title, children }: ColumnHeadProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <header className={css.heading}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children !== undefined && <p className="muted">{children}</p>}
    </header>
  );
}

/** A line with a word between two ways to continue. */
export function Or(): ReactNode {
  return <div className={css.divider}>{t('or')}</div>;
}

/** Links below a form. */
export function ColumnFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.foot}>{children}</div>;
}
