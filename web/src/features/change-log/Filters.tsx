import { type ReactNode } from 'react';

import { formatInstant } from '../../i18n/format.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { DateTime } from '../../ui/date-time/DateTime.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Popover } from '../../ui/popover/Popover.js';
import { Select } from '../../ui/select/Select.js';
import css from './ChangeLogPage.module.css';
import { ACTIONS, ACTORS, TARGETS } from './kinds.js';
import type { ChangeLogAddress } from './search.js';
import { actionName } from './sentence.js';
import { t } from './texts.js';

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
        name="action"
        label={t('action')}
        value={search.action}
        options={ACTIONS.map((action) => ({ value: action, label: actionName(action) }))}
        onChange={(action) => change({ action })}
      />
      <Choice
        name="target"
        label={t('target')}
        value={search.target}
        options={TARGETS.map((target) => ({ value: target, label: t(`target-${target}`) }))}
        onChange={(target) => change({ target })}
      />
      <Choice
        name="actor"
        label={t('actor')}
        value={search.actor}
        options={ACTORS.map((actor) => ({ value: actor, label: t(`actor-type-${actor}`) }))}
        onChange={(actor) => change({ actor })}
      />
      <Popover
        label={t('period')}
        trigger={<FilterChip label={t('period')} value={periodText(search)} onRemove={() => change({ from: undefined, to: undefined })} />}
      >
        <div className={css.period}>
          <DateTime
            name="from"
            label={t('from')}
            value={search.from ?? null}
            max={search.to}
            onValueChange={(from) => change({ from: from ?? undefined })}
          />
          <DateTime
            name="to"
            label={t('to')}
            value={search.to ?? null}
            min={search.from}
            onValueChange={(to) => change({ to: to ?? undefined })}
          />
        </div>
      </Popover>
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ name, label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <Select
      name={name}
      label={label}
      hideLabel
      value={value ?? ''}
      options={[{ value: '', label: `${label}: ${t('any')}` }, ...options]}
      onValueChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}

function periodText({ from, to }: ChangeLogAddress): string | undefined {
  if (from !== undefined && to !== undefined) return t('period-both', { from: formatInstant(from), to: formatInstant(to) });
  if (from !== undefined) return t('period-from', { from: formatInstant(from) });
  return to === undefined ? undefined : t('period-to', { to: formatInstant(to) });
}
