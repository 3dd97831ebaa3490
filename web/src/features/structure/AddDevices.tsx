import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { useSend } from '../../ui/dialog/use-send.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { Selection } from '../../ui/grid/selection.js';
import { problemOf } from '../../problem/problem.js';
import { describeProblem } from '../../ui/problem-text.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast } from '../../ui/toast/toasts.js';
import type { ColumnId } from '../../parts/devices/chosen-columns.js';
import { DeviceGrid } from '../../parts/devices/DeviceGrid.js';
import { devicesQuery } from '../../api/devices/device-list.js';
import css from './AddDevices.module.css';
import { MEMBERSHIPS } from './members.js';
import type { Entry, Kind } from './resources.js';
import { t } from './texts.js';

/** Enough to recognize a device. The customer is shown because a device that is added leaves it. */
const COLUMNS: readonly ColumnId[] = ['name', 'state', 'customer', 'system'];

interface AddDevicesProps {
  readonly kind: Kind;
  readonly entry: Entry;
  readonly onDone: () => void;
}

/** Chooses devices out of all, and adds them. */
export function AddDevices({ kind, entry, onDone }: AddDevicesProps): ReactNode {
  const [q, setQ] = useState('');
  const [sort, setSort] = useState<string | undefined>('name');
  const [selection, setSelection] = useState(Selection.none);
  const { send, isSending, error } = useSend(async (ids: readonly string[]) => {
    await MEMBERSHIPS[kind].add(entry.id, ids);
    toast(t('added', { count: ids.length, name: entry.name }));
  }, onDone);
  return (
    <div className={css.panel}>
      {kind === 'customers' && <p className="muted">{t('add-moves')}</p>}
      <SearchField label={t('search-devices')} value={q} onSearch={setQ} isMain={false} />
      <div className={css.grid}>
        <DeviceGrid
          label={t('devices')}
          search={{ q: q === '' ? undefined : q, sort }}
          onSort={setSort}
          columns={COLUMNS}
          selection={selection}
          onSelect={setSelection}
          onOpen={({ id }) => setSelection(selection.toggled([id]))}
          empty={q === '' ? <EmptyState title={t('no-devices')} /> : <NoMatch onClear={() => setQ('')} />}
        />
      </div>
      {error !== null && <Banner look="bad">{describeProblem(problemOf(error))}</Banner>}
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button look="primary" disabled={selection.size === 0} busy={isSending} onClick={() => send(selection.ids)}>
          {t('add-count', { count: selection.size })}
        </Button>
      </FormActions>
    </div>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }): ReactNode {
  const all = useQuery(devicesQuery({}, 0, 1));
  return <EmptyFiltered onClear={onClear} total={all.data?.totalItems} />;
}
