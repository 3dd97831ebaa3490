import { linkOptions } from '@tanstack/react-router';
import { Download, Plus } from 'lucide';
import { type ReactNode, useMemo, useState } from 'react';

import { ProblemError } from '../src/problem/problem.js';
import { formatInstant, formatNumber, formatRelative } from '../src/i18n/format.js';
import { Badge } from '../src/ui/badge/Badge.js';
import { Breadcrumb, Crumb } from '../src/ui/breadcrumb/Breadcrumb.js';
import { Button } from '../src/ui/button/Button.js';
import { type Column, DataTable } from '../src/ui/data-table/DataTable.js';
import { Grid } from '../src/ui/grid/Grid.js';
import type { Column as GridColumn, Widths } from '../src/ui/grid/layout.js';
import { Selection } from '../src/ui/grid/selection.js';
import { Page } from '../src/ui/page/Page.js';
import { SortMenu } from '../src/ui/sort-menu/SortMenu.js';
import { SplitPane } from '../src/ui/split-pane/SplitPane.js';
import { EmptyFiltered } from '../src/ui/states/EmptyFiltered.js';
import { EmptyState } from '../src/ui/states/EmptyState.js';
import { Status } from '../src/ui/status/Status.js';
import { Tab, Tabs } from '../src/ui/tabs/Tabs.js';
import { Tags } from '../src/ui/tag/Tag.js';
import { TwoPane } from '../src/ui/two-pane/TwoPane.js';
import { DEVICE_MENU } from './Overlays.js';
import { ARABIC, LONG_NAME, Sample } from './Sample.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly isOnline: boolean;
  readonly tags: readonly string[];
  readonly devices: number;
  readonly seen: string | null;
}

const ROWS: readonly Row[] = [
  { id: '1', name: 'srv-01', isOnline: true, tags: ['server', 'critical'], devices: 1_000_000, seen: '2026-11-22T15:50:00Z' },
  { id: '2', name: 'lab-10', isOnline: false, tags: [], devices: 0, seen: '2026-11-19T12:00:00Z' },
  { id: '3', name: 'lab-2', isOnline: true, tags: ['lab'], devices: 1, seen: null },
  { id: '4', name: LONG_NAME, isOnline: false, tags: ['reception', 'kiosk', LONG_NAME], devices: 41, seen: '2025-01-01T00:00:00Z' },
  { id: '5', name: ARABIC, isOnline: true, tags: [ARABIC], devices: 12, seen: '2026-11-22T15:40:00Z' },
];

const NOW = Date.parse('2026-11-22T15:52:00Z');

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'state',
    header: 'State',
    sortBy: ({ isOnline }) => !isOnline,
    cell: ({ isOnline }) => <Status look={isOnline ? 'online' : 'offline'} />,
    phone: 'side',
    width: '110px',
  },
  { id: 'tags', header: 'Tags', cell: ({ tags }) => (tags.length === 0 ? null : <Tags names={tags} />), phone: 'hidden' },
  {
    id: 'devices',
    header: 'Devices',
    align: 'end',
    sortBy: ({ devices }) => devices,
    cell: ({ devices }) => formatNumber(devices),
    phone: 'hidden',
  },
  {
    id: 'seen',
    header: 'Seen',
    sortBy: ({ seen }) => seen,
    width: '120px',
    cell: ({ seen }) => (seen === null ? <Badge>Never</Badge> : <time title={formatInstant(seen)}>{formatRelative(seen, NOW)}</time>),
  },
];

const MANY = Array.from({ length: 20 }, (_, at) => ROWS.map((row) => ({ ...row, id: `${at}-${row.id}` }))).flat();

const GRID_COLUMNS: readonly GridColumn<Row>[] = [
  { id: 'name', title: 'Name', width: 160, grow: 2, sortable: true, cell: ({ name }) => name },
  { id: 'state', title: 'State', width: 110, sortable: true, cell: ({ isOnline }) => <Status look={isOnline ? 'online' : 'offline'} /> },
  { id: 'tags', title: 'Tags', width: 120, grow: 1, cell: ({ tags }) => (tags.length === 0 ? null : <Tags names={tags} />) },
  { id: 'devices', title: 'Devices', width: 110, sortable: true, atEnd: true, cell: ({ devices }) => formatNumber(devices) },
];

const TABLE = { rowKey: ({ id }: Row) => id, columns: COLUMNS, empty: null } as const;

export function Data(): ReactNode {
  const [showsDetail, setShowsDetail] = useState(false);
  return (
    <>
      <Sample title="Page, Breadcrumb, Tabs" whole>
        <Page
          title="srv-01"
          count={1204}
          actions={
            <>
              <Button icon={Download}>Export</Button>
              <Button look="primary" icon={Plus}>
                Add device
              </Button>
            </>
          }
        >
          <Breadcrumb current="Terminal">
            <Crumb to="/devices">Devices</Crumb>
            <Crumb to="/devices/$deviceId" params={{ deviceId: 'x' }}>
              {LONG_NAME}
            </Crumb>
          </Breadcrumb>
          <Tabs label="Parts of the device">
            <Tab to={'/gallery.html' as '/devices'} activeOptions={{ includeSearch: false }} mark="A terminal is open">
              Terminal
            </Tab>
            <Tab to="/devices" count="1,000,000">
              Files
            </Tab>
            {['Screen', 'Preview', 'Chat', 'Logs', 'Activity', 'Access'].map((name) => (
              <Tab key={name} to="/devices">
                {name}
              </Tab>
            ))}
          </Tabs>
        </Page>
      </Sample>
      <Sample title="DataTable" whole>
        <DataTable
          {...TABLE}
          label="Devices"
          rows={ROWS}
          defaultSort="name"
          currentKey="3"
          rowLink={({ id }) => linkOptions({ to: '/devices/$deviceId', params: { deviceId: id } })}
          rowMenu={() => DEVICE_MENU}
          rowName={({ name }) => name}
        />
      </Sample>
      <Sample title="Grid: columns whose edges can be dragged" whole>
        <WideGrid />
      </Sample>
      <Sample title="SortMenu: sorted, and not yet">
        {[{ column: 'name', descending: true }, undefined].map((sorted) => (
          <SortMenu
            key={sorted?.column ?? ''}
            columns={COLUMNS.map(({ id, header }) => ({ id, title: header }))}
            sorted={sorted}
            onSort={() => undefined}
          />
        ))}
      </Sample>
      <Sample title="DataTable: one row, no menu, opens beside">
        <DataTable {...TABLE} columns={COLUMNS.slice(0, 2)} label="One device" rows={ROWS.slice(0, 1)} onRowOpen={() => undefined} />
      </Sample>
      <Sample title="DataTable: loading">
        <DataTable {...TABLE} label="Devices" rows={undefined} />
      </Sample>
      <Sample title="DataTable: empty at first">
        <DataTable
          {...TABLE}
          label="Devices"
          rows={[]}
          empty={
            <EmptyState
              title="No devices yet"
              actions={
                <Button look="primary" icon={Plus}>
                  Add device
                </Button>
              }
            >
              Install the agent and they appear within seconds.
            </EmptyState>
          }
        />
      </Sample>
      <Sample title="DataTable: empty by its filters">
        <DataTable {...TABLE} label="Devices" rows={[]} empty={<EmptyFiltered total={1204} onClear={() => undefined} />} />
      </Sample>
      <Sample title="DataTable: failed">
        <DataTable
          {...TABLE}
          label="Devices"
          rows={undefined}
          error={new ProblemError(500, { traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })}
          onRetry={() => undefined}
        />
      </Sample>
      <Sample title="DataTable: failed to refresh">
        <DataTable
          {...TABLE}
          columns={COLUMNS.slice(0, 2)}
          label="Old rows"
          rows={ROWS.slice(0, 2)}
          error={new ProblemError(0, {})}
          onRetry={() => undefined}
        />
      </Sample>
      <Sample title="TwoPane" whole>
        <TwoPane
          showsDetail={showsDetail}
          list={<Button onClick={() => setShowsDetail(true)}>Acme Dental</Button>}
          detail={
            <>
              <div>
                <Button onClick={() => setShowsDetail(false)}>Back</Button>
              </div>
              <p>The members of what is open.</p>
            </>
          }
        />
      </Sample>
      <Sample title="SplitPane" whole>
        <div style={{ display: 'flex', height: 160 }}>
          <SplitPane id="gallery" label="Folders and files" start={<p>Folders</p>} end={<p>Files</p>} />
        </div>
      </Sample>
    </>
  );
}

/** A hundred rows in columns that keep the widths that they are given. */
function WideGrid(): ReactNode {
  const [widths, setWidths] = useState<Widths>({});
  const [selection, setSelection] = useState(Selection.none);
  const columns = useMemo(() => GRID_COLUMNS.map((column) => ({ ...column, given: widths[column.id] })), [widths]);
  return (
    <div style={{ display: 'flex', height: 240 }}>
      <Grid
        label="Many devices"
        columns={columns}
        count={MANY.length}
        rowAt={(index) => MANY[index]}
        idOf={({ id }) => id}
        sort={{ column: 'name', descending: false }}
        onSort={() => undefined}
        onWidths={(changed) => setWidths({ ...widths, ...changed })}
        selection={selection}
        onSelect={setSelection}
        onOpen={() => undefined}
        compact={({ name }) => name}
      />
    </div>
  );
}
