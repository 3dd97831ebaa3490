import type { ReactNode } from 'react';

import { isPhone, useMedia } from '../media.js';
import css from './PropertyList.module.css';

interface FoldedOnPhoneProps {
  /** Name of the contents while they are folded. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Contents that a phone shows on demand only, because the page's main content is below them. */
export function FoldedOnPhone({ label, children }: FoldedOnPhoneProps): ReactNode {
  if (!useMedia(isPhone)) return children;
  return (
    <details className={css.folded}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
