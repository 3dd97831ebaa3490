import type { ReactNode } from 'react';

import css from './states.module.css';

interface EmptyStateProps {
  /** One sentence that names the missing content. */
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** The next step. */
  readonly actions?: ReactNode;
}

/** Shown by a list while it has nothing: one sentence and the next step. */
export function EmptyState({ title, children, actions }: EmptyStateProps): ReactNode {
  return (
    <div className={css.state}>
      <div className={css.title}>{title}</div>
      {children !== undefined && <div className="muted">{children}</div>}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
