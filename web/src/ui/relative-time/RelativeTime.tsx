import type { ReactNode } from 'react';

import { formatInstant, formatRelative } from '../../i18n/format.js';
import { useNow } from '../use-now.js';

/** How long ago something was, or in how much time it will be, kept up to date. Pointed at, it shows the date and the time. */
export function RelativeTime({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatRelative(at, now)}
    </time>
  );
}
