import { formatInstant } from '../../i18n/format.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { t } from './texts.js';

/** The chosen period in words; undefined where none is chosen. */
export function periodText({ from, to }: ChangeLogAddress): string | undefined {
  if (from !== undefined && to !== undefined) return t('period-both', { from: formatInstant(from), to: formatInstant(to) });
  if (from !== undefined) return t('period-from', { from: formatInstant(from) });
  return to === undefined ? undefined : t('period-to', { to: formatInstant(to) });
}
