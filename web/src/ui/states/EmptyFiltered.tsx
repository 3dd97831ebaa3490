import type { ReactNode } from 'react';

import { Button } from '../button/Button.js';
import { t } from '../later-texts.js';
import { EmptyState } from './EmptyState.js';

interface EmptyFilteredProps {
  readonly onClear: () => void;
  /** Number without the filters, where that is known. */
  readonly total?: number;
  /** The filters as chips, where they do not stand above the list. */
  readonly children?: ReactNode;
}

/** Shown by a list while its filters leave nothing: never the same as an empty list. */
export function EmptyFiltered({ onClear, total, children }: EmptyFilteredProps): ReactNode {
  return (
    <EmptyState title={t('filtered-title')} actions={<Button onClick={onClear}>{t('filtered-clear')}</Button>}>
      {total !== undefined && <p>{t('filtered-total', { count: total })}</p>}
      {children}
    </EmptyState>
  );
}
