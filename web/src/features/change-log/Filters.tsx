import { type ReactNode, Suspense } from 'react';

import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Select } from '../../ui/select/Select.js';
import css from './ChangeLogPage.module.css';
import { ACTIONS, ACTORS, TARGETS } from './kinds.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { periodText } from './period.js';
import { actionName } from './sentence.js';
import { t } from './texts.js';

/** Popovers are large because of their positioning, so they are loaded at first use. */
const PeriodFilter = lazyAfterFirstPage(async () => (await import('./PeriodFilter.js')).PeriodFilter);

interface FiltersProps {
  readonly search: ChangeLogAddress;
  readonly onChange: (search: ChangeLogAddress) => void;
}

/** Everything that narrows the log down: each choice is part of the address. */
export function Filters({ search, onChange }: FiltersProps): ReactNode {
  const change = (part: ChangeLogAddress): void => onChange({ ...search, entry: undefined, ...part });
  return (
    <div className={css.filters}>
      <div className={css.search}>
        <SearchField label={t('search')} value={search.text ?? ''} onSearch={(text) => change({ text: text === '' ? undefined : text })} />
      </div>
      <Choice
        label={t('action')}
        value={search.action}
        options={ACTIONS.map((action) => ({ value: action, label: actionName(action) }))}
        onChange={(action) => change({ action })}
      />
      <Choice
        label={t('target')}
        value={search.target}
        options={TARGETS.map((target) => ({ value: target, label: t(`target-${target}`) }))}
        onChange={(target) => change({ target })}
      />
      <Choice
        label={t('actor')}
        value={search.actor}
        options={ACTORS.map((actor) => ({ value: actor, label: t(`actor-type-${actor}`) }))}
        onChange={(actor) => change({ actor })}
      />
      <Suspense fallback={<FilterChip label={t('period')} value={periodText(search)} aria-busy />}>
        <PeriodFilter search={search} onChange={change} />
      </Suspense>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <Select
      label={label}
      hideLabel
      value={value ?? ''}
      options={[{ value: '', label: `${label}: ${t('any')}` }, ...options]}
      onValueChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}
