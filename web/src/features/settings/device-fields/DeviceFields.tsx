import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Columns3, Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { changeNow } from '../../../api/change-now.js';
import {
  deleteDeviceField,
  type DeviceField,
  deviceFieldsQuery,
  readDeviceField,
  updateDeviceField,
} from '../../../api/devices/device-fields.js';
import { Button } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { DeleteDialog } from '../../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import frame from '../../../ui/frames/Panel.module.css';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import css from './DeviceFields.module.css';
import { FieldDialogs } from './FieldDialogs.js';
import { fieldIn, labelOf, MAXIMUM_FIELDS, nameOf } from './field-form.js';
import { t } from './texts.js';

const COLUMNS: Column<DeviceField>[] = [
  { id: 'name', header: t('name'), cell: nameOf },
  { id: 'type', header: t('type'), cell: ({ type }) => t(`type-${type}`) },
  { id: 'listed', header: t('listed'), cell: ({ isListed }) => (isListed ? t('listed-yes') : ''), phone: 'side' },
];

/** The fields that the tenant defines for its devices, in their order. */
export function DeviceFields({ mayWrite }: { readonly mayWrite: boolean }): ReactNode {
  const fields = useQuery(deviceFieldsQuery);
  const [isCreating, setCreating] = useState(false);
  const [edited, setEdited] = useState<DeviceField | null>(null);
  const [deleted, setDeleted] = useState<DeviceField | null>(null);
  const count = fields.data?.length ?? 0;
  const isFull = count >= MAXIMUM_FIELDS;
  const add = mayWrite ? (
    <Button icon={Plus} disabled={isFull || fields.data === undefined} onClick={() => setCreating(true)}>
      {t('add')}
    </Button>
  ) : undefined;
  const change = ({ id }: DeviceField, changesOf: (stored: DeviceField) => Partial<DeviceField>): void =>
    void changeNow(
      () => readDeviceField(id),
      (stored, tag) => updateDeviceField(id, { name: stored.name, ...changesOf(stored) }, tag),
    ).catch(toastProblem);
  const menuOf = (field: DeviceField) => [
    { label: t('edit'), icon: Pencil, onSelect: () => setEdited(field) },
    { label: field.isListed ? t('hide') : t('show'), icon: Columns3, onSelect: () => change(field, () => ({ isListed: !field.isListed })) },
    {
      label: t('move-up'),
      icon: ArrowUp,
      disabled: field.position === 0,
      onSelect: () => change(field, ({ position }) => ({ position: Math.max(0, position - 1) })),
    },
    {
      label: t('move-down'),
      icon: ArrowDown,
      disabled: field.position === count - 1,
      onSelect: () => change(field, ({ position }) => ({ position: position + 1 })),
    },
    null,
    { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(field) },
  ];
  return (
    <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-device-fields">
      <div className={css.head}>
        <h2 id="settings-device-fields">{t('title')}</h2>
        {count > 0 && add}
      </div>
      <p className="muted">{isFull ? t('full', { count: MAXIMUM_FIELDS }) : t('intro')}</p>
      <DataTable
        label={t('title')}
        rows={fields.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        rowName={nameOf}
        rowMenu={mayWrite ? menuOf : undefined}
        error={fields.error}
        onRetry={() => void fields.refetch()}
        empty={
          <EmptyState title={t('empty')} actions={add}>
            {add === undefined ? undefined : t('empty-text')}
          </EmptyState>
        }
      />
      <FieldDialogs isCreating={isCreating} onCreated={() => setCreating(false)} edited={edited} onEdited={() => setEdited(null)} />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={nameOf}
        title={({ name }) => t('delete-title', { name })}
        text={() => t('delete-text')}
        action={() => t('delete')}
        checks={{ read: async ({ id }) => fieldIn(await readDeviceField(id)), nameOf, labelOf }}
        act={({ id }, tag) => deleteDeviceField(id, tag)}
      />
    </section>
  );
}
