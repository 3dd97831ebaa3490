import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus, ShieldCheck } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import type { SearchChange } from '../../model/search-params.js';
import { ProblemError } from '../../problem/problem.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Selection } from '../../ui/grid/selection.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { TwoPane } from '../../ui/two-pane/TwoPane.js';
import { type ColumnId, DEFAULT_COLUMNS } from '../../parts/devices/chosen-columns.js';
import { DeviceGrid } from '../../parts/devices/DeviceGrid.js';
import { useOpenDevice } from '../../parts/devices/open-device.js';
import { AddDevices } from './AddDevices.js';
import { GroupNotes } from './GroupNotes.js';
import { EntryList } from './EntryList.js';
import type { MembersAddress } from './members-address.js';
import { MEMBERSHIPS } from './members.js';
import css from './MembersPage.module.css';
import { type Entry, entriesQuery, type Kind, RESOURCES } from './resources.js';
import { Holders } from '../../parts/permissions/holders/Holders.js';
import { t } from './texts.js';

/** The devices of a customer need no column that names it. */
const COLUMNS = {
  customers: DEFAULT_COLUMNS.filter((column) => column !== 'customer'),
  'device-groups': DEFAULT_COLUMNS,
  tags: DEFAULT_COLUMNS,
} as const satisfies Record<Kind, readonly ColumnId[]>;

interface MembersPageProps {
  readonly kind: Kind;
  readonly id: string;
  readonly address: MembersAddress;
  readonly onAddress: (change: SearchChange<MembersAddress>) => void;
}

/** One customer, group or tag: its devices, and ways to add others. Beside it stand all of its kind if there is room for them. */
export function MembersPage(props: MembersPageProps): ReactNode {
  const { kind, id } = props;
  // The list stays as it is while one goes from one to the next.
  return <TwoPane list={<EntryList kind={kind} currentId={id} />} detail={<EntryPage key={id} {...props} />} showsDetail />;
}

function EntryPage({ kind, id, address, onAddress }: MembersPageProps): ReactNode {
  const entries = useQuery(entriesQuery(kind));
  const entry = entries.data?.find((each) => each.id === id);
  const mayChange = useCan(MEMBERSHIPS[kind].permission);
  const [isAdding, setAdding] = useState(false);
  const [isShowingAccess, setShowingAccess] = useState(false);
  const mayReadAccess = useCan('tenant.permissions.read');
  const { scopeKind } = RESOURCES[kind];
  const add = mayChange && entry !== undefined && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t('add-devices')}
    </Button>
  );
  const name = entry?.name ?? t(`${kind}-one`);
  return (
    <Page
      title={name}
      within={[t(`${kind}-title`)]}
      way={
        <Breadcrumb current={name}>
          <Crumb to={`/${kind}`}>{t(`${kind}-title`)}</Crumb>
        </Breadcrumb>
      }
      count={entry?.deviceCount ?? undefined}
      actions={
        entry !== undefined && (
          <>
            {scopeKind !== undefined && mayReadAccess && (
              <Button icon={ShieldCheck} onClick={() => setShowingAccess(true)}>
                {t('show-access')}
              </Button>
            )}
            <LinkButton to="/devices" search={RESOURCES[kind].search(id)}>
              {t('in-list')}
            </LinkButton>
            {add}
          </>
        )
      }
      fill
    >
      {entry !== undefined ? (
        <Members {...{ kind, entry, address, onAddress, mayChange, add }} />
      ) : entries.isPending ? (
        <SkeletonList rows={8} />
      ) : (
        <ErrorState error={entries.error ?? new ProblemError(404, {})} onRetry={() => void entries.refetch()} />
      )}
      {entry !== undefined && scopeKind !== undefined && (
        <Drawer
          wide
          open={isShowingAccess}
          onClose={() => setShowingAccess(false)}
          title={t('access-title', { name: entry.name })}
          description={t('access-text')}
        >
          {isShowingAccess && <Holders scope={{ kind: scopeKind, id }} />}
        </Drawer>
      )}
      {entry !== undefined && (
        <Drawer wide open={isAdding} onClose={() => setAdding(false)} title={t('add-title', { name: entry.name })}>
          {isAdding && <AddDevices kind={kind} entry={entry} onDone={() => setAdding(false)} />}
        </Drawer>
      )}
    </Page>
  );
}

interface MembersProps extends Omit<MembersPageProps, 'id'> {
  readonly entry: Entry;
  readonly mayChange: boolean;
  readonly add: ReactNode;
}

function Members({ kind, entry, address, onAddress, mayChange, add }: MembersProps): ReactNode {
  const [selection, setSelection] = useState(Selection.none);
  const { q, sort } = address;
  const { customer } = useSearch({ strict: false });
  const open = useOpenDevice();
  const { add: addAgain, takeOut: takeDevicesOut } = MEMBERSHIPS[kind];
  const takeOut = useMutation({
    // Others may be selected since.
    mutationFn: (ids: readonly string[]) => takeDevicesOut(entry.id, ids, (part) => setSelection((now) => now.without(part))),
    onSuccess(_, ids) {
      toast(t('taken-out', { count: ids.length, name: entry.name }), { undo: () => void addAgain(entry.id, ids).catch(toastProblem) });
    },
    onError: (error) => toastProblem(error),
  });
  return (
    <>
      {entry.description !== null && entry.description !== '' && <p className="muted">{entry.description}</p>}
      {entry.notes !== null && entry.notes !== '' && <p className={css.notes}>{entry.notes}</p>}
      {kind === 'device-groups' && <GroupNotes entry={entry} />}
      <div className={css.tools}>
        <SearchField
          label={t('search-devices')}
          value={q ?? ''}
          onSearch={(text) => onAddress((now) => ({ ...now, q: text === '' ? undefined : text }))}
        />
        {selection.size > 0 && (
          <Button busy={takeOut.isPending} onClick={() => takeOut.mutate(selection.ids)}>
            {t('take-out', { count: selection.size })}
          </Button>
        )}
      </div>
      <div className={css.grid}>
        <DeviceGrid
          label={t('devices-of', { name: entry.name })}
          search={{ customer, ...RESOURCES[kind].search(entry.id), q, sort }}
          onSort={(next) => onAddress((now) => ({ ...now, sort: next(now.sort) }))}
          columns={COLUMNS[kind]}
          selection={mayChange ? selection : undefined}
          onSelect={setSelection}
          onOpen={open}
          empty={
            q === undefined ? (
              <EmptyState title={t('no-devices')} actions={add}>
                {mayChange ? t('no-devices-text') : undefined}
              </EmptyState>
            ) : (
              <EmptyFiltered onClear={() => onAddress((now) => ({ ...now, q: undefined }))} total={entry.deviceCount ?? undefined} />
            )
          }
        />
      </div>
    </>
  );
}
