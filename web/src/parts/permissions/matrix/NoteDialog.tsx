import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { TextArea } from '../../../ui/field/Field.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { t } from '../texts.js';
import { type Content, EFFECTS, withNotes } from './contents.js';
import type { Names } from './names.js';
import type { Cell, Effect } from '../../../model/permissions/scopes.js';

interface NoteDialogProps {
  /** The cell whose note is written; null while none is. */
  readonly cell: Cell | null;
  readonly content: Content | null;
  readonly names: Names;
  readonly onSet: (set: (content: Content) => Content) => void;
  readonly onClose: () => void;
}

/** The note of a cell. It is saved with the other changes. */
export function NoteDialog({ cell, content, names, onSet, onClose }: NoteDialogProps): ReactNode {
  const values = cell === null ? undefined : { permission: names.permissionName(cell.permission), scope: names.scopeName(cell.scope) };
  return (
    <Dialog open={cell !== null} onClose={onClose} title={t('note-title')} description={values && t('cell-name', values)}>
      {content !== null && (
        <Form<Effect>
          onSubmit={(notes) => {
            onSet((each) => withNotes(each, notes));
            onClose();
          }}
        >
          {EFFECTS.filter((effect) => content[effect] !== null).map((effect, index) => (
            <TextArea<Effect>
              key={effect}
              name={effect}
              label={t(`note-of-${effect}`)}
              defaultValue={content[effect]?.notes ?? ''}
              maxLength={500}
              rows={3}
              autoFocus={index === 0}
            />
          ))}
          <FormActions>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" look="primary">
              {t('note-set')}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}
