import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide';
import { type ReactNode, useState } from 'react';

import { type DeviceField, deviceFieldsQuery } from '../../../api/devices/device-fields.js';
import { Button, IconButton } from '../../../ui/button/Button.js';
import { Checkbox } from '../../../ui/checkbox/Checkbox.js';
import { ProblemText } from '../../../ui/states/ProblemText.js';
import { Drawer } from '../../../ui/drawer/Drawer.js';
import {
  type ChosenColumn,
  COLUMN_IDS,
  type ColumnChoice,
  type ColumnId,
  isFieldColumn,
  readColumns,
} from '../../../parts/devices/chosen-columns.js';
import { columnName } from '../../../parts/devices/column-names.js';
import { t as deviceText } from '../../../parts/devices/texts.js';
import { moved, toggled, writeColumns } from './choice.js';
import css from './ColumnChooser.module.css';
import { t } from './texts.js';

const NO_FIELDS: readonly DeviceField[] = [];

interface ColumnChooserProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The columns as the address holds them. */
  readonly cols: string | undefined;
  readonly onChange: (choose: ColumnChoice) => void;
}

/**
 * Chooses the columns of the list and their order: each is moved by its buttons, or by Alt with Up and Down. Hidden ones are below, in the
 * same list: a user who hides one keeps the focus on it.
 */
export function ColumnChooser({ open, onClose, cols, onChange }: ColumnChooserProps): ReactNode {
  const [said, setSaid] = useState('');
  const { data: fields = NO_FIELDS, error } = useQuery({ ...deviceFieldsQuery, enabled: open });
  const fieldNames = new Map(fields.filter(({ isListed }) => isListed).map(({ id, name }) => [`field-${id}` as const, name]));
  // A field that is no longer offered is no column any more.
  const columnsOf = (of: string | undefined): readonly ChosenColumn[] =>
    readColumns(of).filter(({ id }) => !isFieldColumn(id) || fieldNames.has(id));
  const shown = columnsOf(cols).map(({ id }) => id);
  const others = [...COLUMN_IDS, ...fieldNames.keys()].filter((id) => !shown.includes(id));
  const nameOf = (id: ColumnId): string => (isFieldColumn(id) ? (fieldNames.get(id) ?? '') : columnName(id));

  const move = (id: ColumnId, step: -1 | 1): void =>
    onChange((now) => {
      const next = moved(columnsOf(now), id, step);
      if (next === null) return now;
      const place = next.findIndex((column) => column.id === id) + 1;
      setSaid(t('place', { name: nameOf(id), place, count: next.length }));
      return writeColumns(next);
    });

  return (
    <Drawer open={open} onClose={onClose} title={deviceText('columns')}>
      <p className="meta">{t('hint')}</p>
      <ul aria-label={deviceText('columns')}>
        {[...shown, ...others].map((id, at) => {
          const name = nameOf(id);
          const isShown = at < shown.length;
          return (
            // The keys move the column, with the focus on any of its controls.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={id}
              className={css.column}
              data-shown={isShown}
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
                event.preventDefault();
                move(id, event.key === 'ArrowUp' ? -1 : 1);
              }}
            >
              <Checkbox
                className={css.choice}
                label={name}
                checked={isShown}
                disabled={id === 'name'}
                onChange={() => onChange((now) => writeColumns(toggled(columnsOf(now), id)))}
              />
              {id === 'name' && <span className="meta">{t('first')}</span>}
              {isShown && id !== 'name' && (
                <>
                  {/* Not `disabled`: a user who has moved a column to an end keeps the focus. */}
                  <IconButton icon={ArrowUp} label={t('move-up', { name })} small aria-disabled={at === 1} onClick={() => move(id, -1)} />
                  <IconButton
                    icon={ArrowDown}
                    label={t('move-down', { name })}
                    small
                    aria-disabled={at === shown.length - 1}
                    onClick={() => move(id, 1)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
      {error !== null && (
        <p className="meta">
          <ProblemText error={error} />
        </p>
      )}
      <div>
        <Button disabled={cols === undefined} onClick={() => onChange(() => undefined)}>
          {t('usual')}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </Drawer>
  );
}
