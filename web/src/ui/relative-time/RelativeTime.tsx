import type { ReactNode } from 'react';

import { formatInstant, formatRelative } from '../../i18n/format.js';
import { useNow } from '../use-now.js';

/** Time relative to now, past or future, kept up to date. Pointed at, it shows the date and the time. */
export function RelativeTime({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatRelative(at, now)}
    </time>
  );
}
