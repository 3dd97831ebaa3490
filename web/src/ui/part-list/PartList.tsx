import type { ReactNode } from 'react';

import css from './PartList.module.css';

/** Parts of a page below each other, no wider than their texts are read well. */
export function PartList({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.parts}>{children}</div>;
}

/** The head of a part: its name at the beginning, its state or action at the end, below each other where they do not fit. */
export function PartHead({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.head}>{children}</div>;
}
