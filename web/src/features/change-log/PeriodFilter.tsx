import type { ReactNode } from 'react';

import { FilterChip } from '../../ui/chip/Chip.js';
import { DateTime } from '../../ui/date-time/DateTime.js';
import { Popover } from '../../ui/popover/Popover.js';
import css from './ChangeLogPage.module.css';
import { periodText } from './period.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { t } from './texts.js';

interface PeriodFilterProps {
  readonly search: ChangeLogAddress;
  readonly onChange: (period: Pick<ChangeLogAddress, 'from' | 'to'>) => void;
}

/** The part of the time that the log is narrowed down to. */
export function PeriodFilter({ search, onChange }: PeriodFilterProps): ReactNode {
  return (
    <Popover
      label={t('period')}
      trigger={<FilterChip label={t('period')} value={periodText(search)} onRemove={() => onChange({ from: undefined, to: undefined })} />}
    >
      <div className={css.period}>
        <DateTime
          label={t('from')}
          value={search.from ?? null}
          max={search.to}
          onValueChange={(from) => onChange({ from: from ?? undefined })}
        />
        <DateTime label={t('to')} value={search.to ?? null} min={search.from} onValueChange={(to) => onChange({ to: to ?? undefined })} />
      </div>
    </Popover>
  );
}
