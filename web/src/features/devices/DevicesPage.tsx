import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { listQuery } from '../../api/lists.js';
import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { Grid, type MenuEvent } from '../../ui/grid/Grid.js';
import type { Widths } from '../../ui/grid/layout.js';
import { Selection } from '../../ui/grid/selection.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { showDevices } from '../../live/device-feed.js';
import type { Wish } from './acts/ActRun.js';
import type { RowMenuPlace } from './acts/RowMenu.js';
import { readColumns } from '../../parts/devices/chosen-columns.js';
import { columnOf, columnsFor, CompactDevice, propertyOf } from '../../parts/devices/columns.js';
import { type Device, type DeviceSearchChange, nextSort, readSort } from '../../model/devices/device-search.js';
import { Filters } from './Filters.js';
import { ListFooter } from './ListFooter.js';
import { rememberList } from '../../state/last-list.js';
import { useOpenDevice } from '../../parts/devices/open-device.js';
import { t } from '../../parts/devices/texts.js';
import { useDeviceRows } from '../../parts/devices/useDeviceRows.js';
import { useLaterColumns, useMarks } from '../../parts/devices/use-loaded.js';
import { useRowKeys } from './useRowKeys.js';

const route = getRouteApi('/_app/devices/');
const ActRun = lazy(async () => ({ default: (await import('./acts/ActRun.js')).ActRun }));
const BulkBar = lazy(async () => ({ default: (await import('./acts/BulkBar.js')).BulkBar }));
const RowMenu = lazy(async () => ({ default: (await import('./acts/RowMenu.js')).RowMenu }));
const NoDevices = lazy(async () => ({ default: (await import('./NoDevices.js')).NoDevices }));
const ListMenu = lazyAfterFirstPage(async () => (await import('./ListMenu.js')).ListMenu);

interface DevicesPageProps {
  /** Open first steps: above the list, for users who may add devices. */
  readonly checklist: ReactNode;
  /** Leads users who come to an empty tenant to the first steps. */
  readonly FirstVisit: ComponentType<{ readonly children: ReactNode }>;
}

/** All devices that the user may see: searched, filtered, sorted, live. */
export function DevicesPage({ checklist, FirstVisit }: DevicesPageProps): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const mayInstall = useCan('agent.install');
  const { data: tags } = useQuery(listQuery('tags'));
  const rows = useDeviceRows(search);
  const { first, count, rowAt, inSight } = rows;
  const [selection, setSelection] = useState(Selection.none);
  // Links and Back lead to other devices, which nobody has chosen. Columns and the name of a view do not change which devices are shown.
  const listed = JSON.stringify({ ...search, cols: undefined, view: undefined });
  const [chosenIn, setChosenIn] = useState(listed);
  if (chosenIn !== listed) {
    setChosenIn(listed);
    setSelection(Selection.none);
  }
  const [wishes, setWishes] = useState<readonly Wish[]>([]);
  const [menu, setMenu] = useState<RowMenuPlace | null>(null);
  const tagNames = useMemo(() => new Map((tags ?? []).map(({ id, name }) => [id, name])), [tags]);
  const marks = useMarks(search.q);
  const chosen = useMemo(() => readColumns(search.cols), [search.cols]);
  const later = useLaterColumns(chosen);
  const columns = useMemo(() => columnsFor(chosen, { marks, tagNames, later }), [chosen, marks, tagNames, later]);
  const [firstKey] = readSort(search.sort);
  const onRowKey = useRowKeys();
  useEffect(() => rememberList(user.id, { search, page: 0 }), [user.id, search]);

  const change = useCallback((next: DeviceSearchChange, replace?: boolean) => void navigate({ search: next, replace }), [navigate]);
  const resize = useCallback(
    (widths: Widths) =>
      void import('./column-choice/choice.js').then(({ withWidths, writeColumns }) =>
        change((now) => ({ ...now, cols: writeColumns(withWidths(readColumns(now.cols), widths)) }), true),
      ),
    [change],
  );
  const begin = useCallback((wish: Wish) => setWishes((before) => [...before, wish]), []);
  const open = useOpenDevice();
  const openMenu = useCallback((device: Device, event: MenuEvent) => {
    const { clientX: x, clientY: y, currentTarget: row } = event;
    if (!(row instanceof HTMLElement)) return;
    event.preventDefault();
    // The keyboard has no pointer position.
    setMenu({ device, pointer: x === 0 && y === 0 ? null : { x, y }, row });
  }, []);
  const visibleIds = inSight.map(({ id }) => id).join();
  useEffect(() => (visibleIds === '' ? undefined : showDevices(visibleIds.split(','))), [visibleIds]);

  const addDevice = mayInstall ? (
    <LinkButton to="/deploy" look="primary" icon={Plus}>
      {t('add-device')}
    </LinkButton>
  ) : null;
  const actions = (
    <>
      {first.data !== undefined && (
        <Suspense>
          <ListMenu search={search} onChange={change} />
        </Suspense>
      )}
      {addDevice}
    </>
  );
  const isEmpty = first.data?.anyDevicesForUser === false;
  return (
    <Page title={t('title')} count={first.data === undefined ? undefined : count} actions={isEmpty ? null : actions} fill>
      {first.data !== undefined && mayInstall && <Suspense>{checklist}</Suspense>}
      <Filters search={search} onChange={change} disabled={isEmpty} />
      {first.isError && first.data === undefined ? (
        <ErrorState error={first.error} onRetry={() => void first.refetch()} />
      ) : first.data !== undefined && count === 0 ? (
        <Suspense>
          <NoDevices search={search} isEmpty={isEmpty} addDevice={addDevice} FirstVisit={FirstVisit} onChange={change} />
        </Suspense>
      ) : (
        <Grid
          label={t('title')}
          columns={columns}
          count={first.data === undefined ? 12 : count}
          rowAt={rowAt}
          idOf={(device) => device.id}
          sort={firstKey === undefined ? undefined : { column: columnOf(firstKey.property) ?? '', descending: firstKey.descending }}
          onSort={(column) => {
            const property = propertyOf(column);
            if (property !== undefined) change((now) => ({ ...now, sort: nextSort(now.sort, property) }));
          }}
          onWidths={resize}
          selection={selection}
          onSelect={setSelection}
          onOpen={open}
          onMenu={openMenu}
          menuOf={menu?.device.id}
          onRowKey={onRowKey}
          onRange={rows.setRange}
          isMain
          compact={(device) => <CompactDevice device={device} marks={marks} />}
          stale={first.isPlaceholderData}
        />
      )}
      <Suspense>
        {menu !== null && <RowMenu key={menu.device.id} place={menu} onWish={begin} onClosed={() => setMenu(null)} />}
        {wishes.map((wish) => (
          <ActRun
            key={wish.id}
            wish={wish}
            onOver={(end) => {
              setWishes((before) => before.filter((each) => each !== wish));
              if (end === 'done' && !('length' in wish.targets && wish.targets.length === 1)) setSelection(Selection.none);
            }}
          />
        ))}
      </Suspense>
      <ListFooter rows={rows} sort={search.sort}>
        {selection.size > 0 && (
          <Suspense>
            <BulkBar {...{ selection, inSight, search, count }} onSelect={setSelection} onWish={begin} />
          </Suspense>
        )}
      </ListFooter>
    </Page>
  );
}
