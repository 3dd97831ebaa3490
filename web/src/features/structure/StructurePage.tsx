import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { changed } from '../../api/queries.js';
import { formatNumber } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { EntryName } from './EntryName.js';
import { type Entry, entriesQuery, type Kind, type Resource, RESOURCES } from './resources.js';
import { t } from './texts.js';

/** How many lines of a text are in sight while it is typed. */
const ROWS = { description: 3, notes: 6 };

/** Customers, groups or tags: made, renamed and deleted; each leads to its devices. */
export function StructurePage({ kind }: { readonly kind: Kind }): ReactNode {
  const resource = RESOURCES[kind];
  const entries = useQuery(entriesQuery(kind));
  const mayWrite = useCan(resource.writePermission);
  const [edited, setEdited] = useState<Entry | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: ({ name }) => <EntryName kind={kind} name={name} />,
      sortBy: ({ name }) => name.toLowerCase(),
    },
    ...(resource.texts.includes('description')
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
        rowLink={({ id }) => resource.page(id)}
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
      <FormDialog
        subject={edited}
        onClose={() => setEdited(null)}
        title={(entry) => (entry === 'new' ? t(`${kind}-create`) : t('edit-title', { name: entry.name }))}
        action={(entry) => (entry === 'new' ? t('create') : t('save'))}
        act={(entry, { name = '', description, notes }) => {
          const values = { name, description: textOf(description), notes: textOf(notes) };
          return entry === 'new' ? resource.create(values) : resource.update(entry.id, values);
        }}
        onDone={() => changed(kind, 'devices')}
      >
        {(entry) => <Fields entry={entry === 'new' ? null : entry} texts={resource.texts} />}
      </FormDialog>
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('delete-title', { name })}
        text={({ deviceCount }) => t(`${kind}-delete-text`, { count: deviceCount ?? 0 })}
        action={() => t('delete')}
        act={({ id }) => resource.remove(id)}
        onDone={() => changed(kind, 'devices')}
      />
    </Page>
  );
}

interface FieldsProps {
  /** Null for a new one. */
  readonly entry: Entry | null;
  readonly texts: Resource['texts'];
}

/** What stands in a field; null for nothing. */
const textOf = (typed: string | undefined): string | null => (typed === undefined || typed === '' ? null : typed);

function Fields({ entry, texts }: FieldsProps): ReactNode {
  return (
    <>
      <TextField name="name" label={t('name')} defaultValue={entry?.name} maxLength={100} required autoFocus autoComplete="off" />
      {texts.map((text) => (
        <TextArea key={text} name={text} label={t(text)} defaultValue={entry?.[text] ?? ''} maxLength={500} rows={ROWS[text]} />
      ))}
    </>
  );
}
