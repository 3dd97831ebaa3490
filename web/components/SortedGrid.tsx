import { type ReactNode, useState } from 'react';

import { Grid } from '../src/ui/grid/Grid.js';
import type { Column } from '../src/ui/grid/layout.js';
import { Selection } from '../src/ui/grid/selection.js';
import type { ShownGrid } from './shown.js';

type Row = ShownGrid['rows'][number];

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', width: 160, grow: 1, sortable: true, cell: ({ id }) => id },
  { id: 'size', title: 'Size', width: 110, sortable: true, atEnd: true, cell: ({ size }) => size },
  { id: 'note', title: 'Note', width: 110, cell: () => null },
];

/** A grid with what a page does around it: it sorts the rows, keeps the selection, and shows the row that was opened last. */
export function SortedGrid({ rows }: ShownGrid): ReactNode {
  const [sort, setSort] = useState({ column: 'name', descending: false });
  const [selection, setSelection] = useState(Selection.none);
  const [opened, setOpened] = useState('');
  const sorted = rows.toSorted((a, b) => (sort.column === 'size' ? a.size - b.size : a.id.localeCompare(b.id)));
  if (sort.descending) sorted.reverse();
  return (
    <main>
      <div style={{ display: 'flex', height: 400 }}>
        <Grid
          label="Rows"
          columns={COLUMNS}
          count={sorted.length}
          rowAt={(index) => sorted[index]}
          idOf={({ id }) => id}
          sort={sort}
          onSort={(column) => setSort({ column, descending: sort.column === column && !sort.descending })}
          selection={selection}
          onSelect={setSelection}
          onOpen={({ id }) => setOpened(id)}
          compact={({ id }) => id}
        />
      </div>
      <output>{opened}</output>
    </main>
  );
}
