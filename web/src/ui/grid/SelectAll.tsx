import type { ReactNode } from 'react';

import { t } from '../texts.js';
import { loadedIds } from './act-on-key.js';
import css from './Grid.module.css';
import type { GridProps } from './props.js';
import type { Selection } from './selection.js';

interface SelectAllProps<Row> extends Pick<GridProps<Row>, 'count' | 'rowAt' | 'idOf' | 'onSelect'> {
  readonly selection: Selection;
}

/** The box that selects all rows that are loaded, or none. */
export function SelectAll<Row>(props: SelectAllProps<Row>): ReactNode {
  const { count, selection, onSelect } = props;
  return (
    <div role="columnheader" className={css.check}>
      <input
        type="checkbox"
        aria-label={t('grid-select-all')}
        tabIndex={-1}
        checked={selection.size > 0}
        ref={(box) => {
          if (box !== null) box.indeterminate = selection.size > 0 && selection.size < count;
        }}
        onChange={() => onSelect?.(selection.size > 0 ? selection.only([]) : selection.with(loadedIds(props, 0, count - 1)))}
      />
    </div>
  );
}
