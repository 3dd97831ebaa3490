import type { ReactNode } from 'react';

import type { Device } from '../../model/devices/device-search.js';
import type { ColumnId } from './chosen-columns.js';
import { columnName } from './column-names.js';
import css from './marks.module.css';
import { markedText } from './marked-text.js';
import { matchedColumn } from './matched-column.js';

/** Marks of what was searched for, in the cells of a list. */
export interface Marks {
  /** The text with the searched part marked. `whole` is the text that `text` stands for: its parts may be missing there. */
  text(this: void, text: string, whole?: string): ReactNode;
  /** The field in which a device was found, if none of the shown columns has it. */
  note(this: void, device: Device, shown: ReadonlySet<ColumnId>): ReactNode;
}

/** The marks of a searched text. */
export function marksOf(wanted: string): Marks {
  const mark = (text: string, whole = text): ReactNode => {
    const parts = markedText(text, wanted);
    if (parts === null) return markedText(whole, wanted) === null ? text : <mark className={css.mark}>{text}</mark>;
    const [before, found, behind] = parts;
    return (
      <>
        {before}
        <mark className={css.mark}>{found}</mark>
        {behind}
      </>
    );
  };
  return {
    text: mark,
    note(device, shown) {
      const match = matchedColumn(device, wanted);
      if (match === null || (match.column !== 'id' && shown.has(match.column))) return null;
      return (
        <span className={css.note}>
          {mark(match.value)} {columnName(match.column)}
        </span>
      );
    },
  };
}
