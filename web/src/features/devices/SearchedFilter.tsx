import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { SearchField } from '../../ui/field/SearchField.js';
import type { MenuCheck } from '../../ui/menu/entries.js';
import { Popover } from '../../ui/popover/Popover.js';
import type { ValuesProps } from './filters-props.js';
import { t } from './later-texts.js';
import css from './SearchedFilter.module.css';

/** Values that are listed at once. A search finds the others. */
const MOST_LISTED = 100;

/** The values of a filter that has many of them, with a search. */
export function SearchedFilter({ label, disabled, values, others = [] }: ValuesProps): ReactNode {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = values.filter((value) => value.label.toLowerCase().includes(wanted));
  const left = found.length - MOST_LISTED;
  return (
    <Popover
      label={label}
      trigger={<Button disabled={disabled}>{label}</Button>}
      onOpenChange={(isOpen) => {
        if (isOpen) setText('');
      }}
    >
      <SearchField label={t('search-values', { name: label })} value={text} onSearch={setText} isMain={false} />
      <div className={css.values} role="group" aria-label={label}>
        {found.slice(0, MOST_LISTED).map((value, at) => (
          <Check key={`${value.label} ${at}`} {...value} />
        ))}
        {found.length === 0 && <p className="muted">{t('no-values')}</p>}
        {left > 0 && <p className="meta">{t('more-values', { count: left })}</p>}
      </div>
      {others.length > 0 && (
        <div className={css.others}>
          {others.map((other) => (
            <Check key={other.label} {...other} />
          ))}
        </div>
      )}
    </Popover>
  );
}

function Check({ label, checked, onCheckedChange }: MenuCheck): ReactNode {
  return <Checkbox label={label} checked={checked} onChange={(event) => onCheckedChange(event.currentTarget.checked)} />;
}
