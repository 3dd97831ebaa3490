import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type Log, subjectsQuery } from '../../api/access/change-log.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { Combobox } from '../../ui/combobox/Combobox.js';
import { Popover } from '../../ui/popover/Popover.js';
import css from './ChangeLogPage.module.css';
import { kindNameOf } from './sentence.js';
import { t } from './texts.js';

/** Kinds that act. */
const ACTORS: ReadonlySet<string> = new Set(['User', 'ServiceAccount']);
/** Kinds that have a filter of their own. */
const NAMES: ReadonlySet<string> = new Set(['Permission', 'Reference']);

interface SubjectFilterProps {
  readonly log: Log;
  readonly label: string;
  /** The id of the chosen person or object. */
  readonly value: string | undefined;
  readonly onlyActors?: boolean;
  readonly onChange: (id: string | undefined) => void;
}

/** Narrows the log down to a person or object, found by a part of the name, also when it is deleted. */
export function SubjectFilter({ log, label, value, onlyActors = false, onChange }: SubjectFilterProps): ReactNode {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useQuery(subjectsQuery(log, text));
  const chosen = useQuery(subjectsQuery(log, value ?? ''));
  const subjects = (found.data ?? []).filter(({ kind }) => (onlyActors ? ACTORS.has(kind) : !NAMES.has(kind)));
  const current = chosen.data?.find(({ id }) => id === value);
  // The id stands for a thing of which the log knows no name.
  const shown = value === undefined ? undefined : (current?.name ?? (chosen.isLoading ? '…' : value));
  return (
    <Popover
      label={label}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<FilterChip label={label} value={shown} onRemove={() => onChange(undefined)} />}
    >
      <div className={css.period}>
        <Combobox
          label={label}
          placeholder={t('subject-placeholder')}
          items={subjects.map(({ id, kind, name, login }) => ({
            value: id,
            label: name ?? id,
            detail: [kindNameOf(kind), login].filter(Boolean).join(' · '),
          }))}
          value={value === undefined ? null : { value, label: shown ?? value }}
          onSearch={setText}
          busy={found.isFetching}
          error={found.error}
          onValueChange={(item) => {
            onChange(item?.value);
            setOpen(false);
          }}
        />
      </div>
    </Popover>
  );
}
