import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import { formatNumber } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import { TextArea, TextField } from '../../ui/field/Field.js';
import { SearchField } from '../../ui/field/SearchField.js';
import type { FormValues } from '../../ui/form/Form.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { EntryName } from './EntryName.js';
import { type Entry, entriesQuery, type EntryValues, type Kind, type Resource, RESOURCES } from './resources.js';
import { t } from './texts.js';

type Field = keyof EntryValues;

/** Visible lines of a text while it is typed. */
const ROWS = { description: 3, notes: 6 };

interface StructurePageProps {
  readonly kind: Kind;
  /** Text that the entries are searched by. */
  readonly q?: string;
  readonly onSearch: (q: string | undefined) => void;
}

/** Customers, groups or tags: made, renamed and deleted; each leads to its devices. */
export function StructurePage({ kind, q = '', onSearch }: StructurePageProps): ReactNode {
  const resource = RESOURCES[kind];
  const entries = useQuery(entriesQuery(kind));
  const mayWrite = useCan(resource.writePermission);
  const [isCreating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Entry | null>(null);
  const [deleted, setDeleted] = useState<Entry | null>(null);
  const formOf = (stored: Partial<EntryValues>): FormValues<Field> =>
    Object.fromEntries(['name' as const, ...resource.texts].map((field) => [field, stored[field] ?? '']));
  const read = async (id: string): Promise<Versioned<FormValues<Field>>> => versionAs(await resource.read(id), formOf);
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
    ...(resource.texts.includes('notes') ? [{ id: 'notes', header: t('notes'), cell: ({ notes }: Entry) => notes ?? '' }] : []),
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
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t(`${kind}-create`)}
    </Button>
  ) : undefined;
  return (
    <Page title={t(`${kind}-title`)} count={entries.data?.length} actions={create}>
      <SearchField label={t(`${kind}-search`)} value={q} onSearch={(text) => onSearch(text === '' ? undefined : text)} />
      <DataTable
        label={t(`${kind}-title`)}
        rows={entries.data?.filter((entry) => hasText(entry, q))}
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
          q === '' ? (
            <EmptyState title={t(`${kind}-empty`)} actions={create}>
              {t(`${kind}-empty-text`)}
            </EmptyState>
          ) : (
            <EmptyFiltered onClear={() => onSearch(undefined)} total={entries.data?.length} />
          )
        }
      />
      <FormDialog<string, Field>
        subject={isCreating ? 'new' : null}
        onClose={() => setCreating(false)}
        title={() => t(`${kind}-create`)}
        action={() => t('create')}
        act={(_, values) => resource.create(entryOf(values))}
      >
        {() => <Fields values={{}} texts={resource.texts} />}
      </FormDialog>
      <EditDialog
        subject={edited}
        onClose={() => setEdited(null)}
        title={({ name }) => t('edit-title', { name })}
        nameOf={nameOf}
        labelOf={labelOf}
        of={({ id }) => ({
          read: () => read(id),
          save: async (values, tag) => versionAs(await resource.update(id, entryOf(values), tag), formOf),
        })}
        action={t('save')}
      >
        {(values) => <Fields values={values} texts={resource.texts} />}
      </EditDialog>
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={nameOf}
        title={({ name }) => t('delete-title', { name })}
        text={({ deviceCount }) => t(`${kind}-delete-text`, { count: deviceCount ?? 0 })}
        action={() => t('delete')}
        checks={{ read: ({ id }) => read(id), nameOf, labelOf }}
        act={({ id }, tag) => resource.remove(id, tag)}
      />
    </Page>
  );
}

/** True if one of the texts of an entry has another text, in any case. */
const hasText = ({ name, description, notes }: Entry, text: string): boolean =>
  [name, description, notes].some((value) => value?.toLowerCase().includes(text.toLowerCase()));

const nameOf = ({ name }: Entry): string => name;
const labelOf = (field: string): string => t(field === 'description' || field === 'notes' ? field : 'name');

/** Value of a field; null for nothing. */
const textOf = (typed: string | undefined): string | null => (typed === undefined || typed === '' ? null : typed);

const entryOf = ({ name = '', description, notes }: FormValues<Field>): EntryValues => ({
  name,
  description: textOf(description),
  notes: textOf(notes),
});

interface FieldsProps {
  /** Empty for a new one. */
  readonly values: FormValues<Field>;
  readonly texts: Resource['texts'];
}

function Fields({ values, texts }: FieldsProps): ReactNode {
  return (
    <>
      <TextField<Field> name="name" label={t('name')} defaultValue={values.name} maxLength={100} required autoFocus autoComplete="off" />
      {texts.map((text) => (
        <TextArea<Field> key={text} name={text} label={t(text)} defaultValue={values[text] ?? ''} maxLength={500} rows={ROWS[text]} />
      ))}
    </>
  );
}
