import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { changed } from '../../api/queries.js';
import { formatNumber } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { ConfirmByName } from '../../ui/confirm/Confirm.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { Tag } from '../../ui/tag/Tag.js';
import { type Entry, entriesQuery, type Kind, RESOURCES } from './resources.js';
import { t } from './texts.js';

/** Customers, groups or tags: made, renamed and deleted; each leads to its devices. */
export function StructurePage({ kind }: { readonly kind: Kind }): ReactNode {
  const resource = RESOURCES[kind];
  const entries = useQuery(entriesQuery(kind));
  const mayWrite = useCan(resource.writePermission);
  const [edited, setEdited] = useState<Entry | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Entry | null>(null);
  const remove = useMutation({
    async mutationFn({ id }: Entry) {
      await resource.remove(id);
      setDeleted(null);
      await changed(kind, 'devices');
    },
  });
  const columns: Column<Entry>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: ({ name }) => (kind === 'tags' ? <Tag name={name} /> : name),
      sortBy: ({ name }) => name.toLowerCase(),
    },
    ...(resource.hasDescription
      ? [{ id: 'description', header: t('description'), cell: ({ description }: Entry) => description ?? '' }]
      : []),
    {
      id: 'devices',
      header: t('devices'),
      cell: ({ deviceCount }) => (deviceCount === null ? '' : formatNumber(deviceCount)),
      sortBy: ({ deviceCount }) => deviceCount ?? 0,
      align: 'end',
      phone: 'side',
    },
  ];
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setEdited('new')}>
      {t(`${kind}-create`)}
    </Button>
  ) : undefined;
  return (
    <Page title={t(`${kind}-title`)} count={entries.data?.length} actions={create}>
      <DataTable
        label={t(`${kind}-title`)}
        rows={entries.data}
        rowKey={({ id }) => id}
        columns={columns}
        defaultSort="name"
        rowLink={({ id }) => ({ to: '/devices', search: resource.search(id) })}
        rowName={({ name }) => name}
        rowMenu={
          mayWrite
            ? (entry) => [
                { label: t('edit'), icon: Pencil, onSelect: () => setEdited(entry) },
                null,
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(entry) },
              ]
            : undefined
        }
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={
          <EmptyState title={t(`${kind}-empty`)} actions={create}>
            {t(`${kind}-empty-text`)}
          </EmptyState>
        }
      />
      <Dialog
        open={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === 'new' ? t(`${kind}-create`) : t('edit-title', { name: edited?.name ?? '' })}
      >
        {edited !== null && <EntryForm kind={kind} entry={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />}
      </Dialog>
      <ConfirmByName
        open={deleted !== null}
        onClose={() => setDeleted(null)}
        title={t('delete-title', { name: deleted?.name ?? '' })}
        action={t('delete')}
        name={deleted?.name ?? ''}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          if (deleted !== null) remove.mutate(deleted);
        }}
      >
        {t(`${kind}-delete-text`, { count: deleted?.deviceCount ?? 0 })}
      </ConfirmByName>
    </Page>
  );
}

interface EntryFormProps {
  readonly kind: Kind;
  /** Null makes a new one. */
  readonly entry: Entry | null;
  readonly onDone: () => void;
}

function EntryForm({ kind, entry, onDone }: EntryFormProps): ReactNode {
  const resource = RESOURCES[kind];
  const save = useMutation({
    async mutationFn({ name = '', description = '' }: Readonly<Record<string, string>>) {
      const values = { name, description: description === '' ? null : description };
      await (entry === null ? resource.create(values) : resource.update(entry.id, values));
      await changed(kind, 'devices');
      onDone();
    },
  });
  return (
    <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
      <TextField name="name" label={t('name')} defaultValue={entry?.name} maxLength={100} required autoFocus autoComplete="off" />
      {resource.hasDescription && (
        <TextArea name="description" label={t('description')} defaultValue={entry?.description ?? ''} maxLength={500} rows={3} />
      )}
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {entry === null ? t('create') : t('save')}
        </Button>
      </FormActions>
    </Form>
  );
}
