import { memo, type ReactNode } from 'react';

import { classes } from '../classes.js';
import css from './Grid.module.css';
import type { Column } from './layout.js';

/** The cells of a row: drawn again only when the row or the columns change. */
export const Cells = memo(function Cells<Row>({
  columns,
  row,
}: {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
}): ReactNode {
  return columns.map(({ id, atEnd, cell }) => (
    <div key={id} role="gridcell" className={classes(css.cell, atEnd === true && css.end)}>
      {cell(row)}
    </div>
  ));
}) as <Row>(props: { readonly columns: readonly Column<Row>[]; readonly row: Row }) => ReactNode;

/** A row that is still loading. */
export function Placeholder({ columns }: { readonly columns: number }): ReactNode {
  return Array.from({ length: columns }, (_, at) => (
    // eslint-disable-next-line react/no-array-index-key
    <div key={at} role="gridcell" className={css.cell}>
      <span className={css.placeholder} />
    </div>
  ));
}
