import type { ReactNode } from 'react';

import css from './Form.module.css';

/** The buttons at the end of a form. */
export function FormActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.actions}>{children}</div>;
}
