import { type ReactNode, Suspense } from 'react';

import type { Log } from '../../api/access/change-log.js';
import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import type { SearchChange } from '../../model/search-params.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Select } from '../../ui/select/Select.js';
import css from './ChangeLogPage.module.css';
import { ACTIONS, TARGETS } from './kinds.js';
import { periodText } from './period.js';
import { actionName } from './sentence.js';
import { t } from './texts.js';

/** Popovers are large because of their positioning, so they are loaded at first use. */
const PeriodFilter = lazyAfterFirstPage(async () => (await import('./PeriodFilter.js')).PeriodFilter);
const PermissionFilter = lazyAfterFirstPage(async () => (await import('./PermissionFilter.js')).PermissionFilter);
const SubjectFilter = lazyAfterFirstPage(async () => (await import('./SubjectFilter.js')).SubjectFilter);

interface FiltersProps {
  readonly log: Log;
  readonly search: ChangeLogAddress;
  readonly onChange: (change: SearchChange<ChangeLogAddress>) => void;
}

/** Everything that narrows the log down: each choice is part of the address. */
export function Filters({ log, search, onChange }: FiltersProps): ReactNode {
  const { text, actor, about, permission, reference, action, target } = search;
  const change = (part: ChangeLogAddress): void => onChange((now) => ({ ...now, entry: undefined, ...part }));
  return (
    <div className={css.filters}>
      <div className={css.search}>
        <SearchField
          label={t('search')}
          placeholder={t('search-placeholder')}
          value={text ?? ''}
          onSearch={(next) => change({ text: next === '' ? undefined : next })}
        />
      </div>
      <Suspense fallback={<FilterChip label={t('actor')} aria-busy />}>
        <SubjectFilter log={log} label={t('actor')} value={actor} onlyActors onChange={(id) => change({ actor: id })} />
      </Suspense>
      <Suspense fallback={<FilterChip label={t('about')} aria-busy />}>
        <SubjectFilter log={log} label={t('about')} value={about} onChange={(id) => change({ about: id })} />
      </Suspense>
      <Suspense fallback={<FilterChip label={t('permission')} aria-busy />}>
        <PermissionFilter value={permission} onChange={(name) => change({ permission: name })} />
      </Suspense>
      <Choice
        label={t('action')}
        value={action}
        options={ACTIONS.map((each) => ({ value: each, label: actionName(each) }))}
        onChange={(chosen) => change({ action: chosen })}
      />
      <Choice
        label={t('kind')}
        value={target}
        options={TARGETS.map((each) => ({ value: each, label: t(`target-${each}`) }))}
        onChange={(chosen) => change({ target: chosen })}
      />
      <Suspense fallback={<FilterChip label={t('period')} value={periodText(search)} aria-busy />}>
        <PeriodFilter search={search} onChange={change} />
      </Suspense>
      {reference !== undefined && (
        <FilterChip label={t('correlation-session')} value={reference} onRemove={() => change({ reference: undefined })} />
      )}
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
