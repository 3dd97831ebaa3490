import { type ReactNode, useState } from 'react';

import { Button } from '../../../../ui/button/Button.js';
import { Checkbox } from '../../../../ui/checkbox/Checkbox.js';
import { Dialog } from '../../../../ui/dialog/Dialog.js';
import { FormActions } from '../../../../ui/form/FormActions.js';
import { t } from '../texts.js';
import type { Conflict } from './useUpload.js';

/** Asks the user to overwrite, rename or skip a file whose name is taken. */
export function ConflictDialog({ conflict }: { readonly conflict: Conflict | null }): ReactNode {
  return (
    <Dialog
      open={conflict !== null}
      onClose={() => conflict?.answer(null, false)}
      keepOnOutsideClick
      title={t('conflict-title', { name: conflict?.name ?? '' })}
      description={t('conflict-text')}
    >
      {conflict !== null && <Answers conflict={conflict} />}
    </Dialog>
  );
}

function Answers({ conflict }: { readonly conflict: Conflict }): ReactNode {
  const [forAll, setForAll] = useState(false);
  return (
    <>
      {conflict.others > 0 && (
        <Checkbox
          label={t('conflict-all', { count: conflict.others })}
          checked={forAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      )}
      <FormActions>
        <Button onClick={() => conflict.answer('skip', forAll)}>{t('skip')}</Button>
        <Button look="danger" onClick={() => conflict.answer('overwrite', forAll)}>
          {t('overwrite')}
        </Button>
        <Button look="primary" autoFocus onClick={() => conflict.answer('keep-both', forAll)}>
          {t('keep-both')}
        </Button>
      </FormActions>
    </>
  );
}
