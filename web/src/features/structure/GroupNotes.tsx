import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { deviceGroupNotesQuery, readDeviceGroupNotes, saveDeviceGroupNotes } from '../../api/devices/device-group-notes.js';
import { Button, IconButton } from '../../ui/button/Button.js';
import type { Editable } from '../../ui/edit/save-over.js';
import { StoredForm } from '../../ui/edit/StoredForm.js';
import { TextArea } from '../../ui/field/Field.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { toast } from '../../ui/toast/toasts.js';
import css from './MembersPage.module.css';
import type { Entry } from './resources.js';
import { t } from './texts.js';

/** Longest notes of a group, in characters. */
const MAXIMUM_LENGTH = 2_000;

/** The notes of a device group, changed where they stand. */
export function GroupNotes({ entry: { id, name } }: { readonly entry: Entry }): ReactNode {
  const mayWrite = useCan('tenant.device-groups.write');
  const notes = useQuery(deviceGroupNotesQuery(id));
  const [isEditing, setEditing] = useState(false);
  if (notes.data === undefined) {
    return notes.error === null ? null : (
      <p className="muted">
        <ProblemText error={notes.error} />
      </p>
    );
  }
  const text = notes.data.value.notes;
  if (isEditing) {
    return (
      <StoredForm<'notes'>
        name={name}
        of={notesOf(id)}
        labelOf={() => t('notes')}
        action={t('save')}
        onCancel={() => setEditing(false)}
        onSaved={() => toast(t('notes-saved'))}
        onFinished={() => setEditing(false)}
      >
        {(values) => (
          <TextArea<'notes'> name="notes" label={t('notes')} defaultValue={values.notes} rows={4} maxLength={MAXIMUM_LENGTH} autoFocus />
        )}
      </StoredForm>
    );
  }
  if (text === '') return mayWrite ? <AddNotes onAdd={() => setEditing(true)} /> : null;
  return (
    <div className={css.groupNotes}>
      <p className={css.notes}>{text}</p>
      {mayWrite && <IconButton icon={Pencil} label={t('notes-edit')} onClick={() => setEditing(true)} />}
    </div>
  );
}

const AddNotes = ({ onAdd }: { readonly onAdd: () => void }): ReactNode => (
  <div>
    <Button onClick={onAdd}>{t('notes-add')}</Button>
  </div>
);

const notesOf = (id: string): Editable<'notes'> => ({
  read: () => readDeviceGroupNotes(id),
  // Browsers send line breaks of a form as CR LF.
  save: ({ notes = '' }, tag) => saveDeviceGroupNotes(id, notes.replaceAll('\r\n', '\n'), tag),
});
