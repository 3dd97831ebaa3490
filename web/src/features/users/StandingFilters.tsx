import type { ReactNode } from 'react';

import { Select } from '../../ui/select/Select.js';
import { FACTORS, STATES, type UserFilters } from './standing.js';
import { t } from './standing-texts.js';

interface StandingFiltersProps {
  readonly filters: UserFilters;
  readonly onChange: (part: UserFilters) => void;
}

/** Narrows the list of users down by state and by second factor. */
export function StandingFilters({ filters: { standing, factor }, onChange }: StandingFiltersProps): ReactNode {
  return (
    <>
      <Select
        label={t('state')}
        hideLabel
        value={standing ?? ''}
        options={[
          { value: '', label: `${t('state')}: ${t('any')}` },
          ...STATES.map((each) => ({ value: each, label: t(`state-${each}`) })),
        ]}
        onValueChange={(chosen) => onChange({ standing: STATES.find((each) => each === chosen) })}
      />
      <Select
        label={t('factor')}
        hideLabel
        value={factor ?? ''}
        options={[
          { value: '', label: `${t('factor')}: ${t('any')}` },
          ...FACTORS.map((each) => ({ value: each, label: t(`factor-${each}`) })),
        ]}
        onValueChange={(chosen) => onChange({ factor: FACTORS.find((each) => each === chosen) })}
      />
    </>
  );
}
