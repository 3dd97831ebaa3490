import type { ReactNode } from 'react';

import { formatBytes, formatInstant } from '../../../../i18n/format.js';
import { Button } from '../../../../ui/button/Button.js';
import { Dialog } from '../../../../ui/dialog/Dialog.js';
import { FormActions } from '../../../../ui/form/FormActions.js';
import { t } from './texts.js';
import type { Changed } from './useSaving.js';

interface ChangedDialogProps {
  readonly name: string;
  /** Null closes the dialog. */
  readonly changed: Changed | null;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onReload: () => Promise<void>;
  readonly onOverwrite: () => void;
}

/** Asks what to do with a file that someone else has changed since it was read. */
export function ChangedDialog({ name, changed, isBusy, onClose, onReload, onOverwrite }: ChangedDialogProps): ReactNode {
  const now = changed?.now;
  return (
    <Dialog
      open={changed !== null}
      onClose={onClose}
      keepOnOutsideClick
      title={t(now === undefined ? 'deleted-title' : 'changed-title', { name })}
      description={
        now === undefined ? t('deleted-text') : t('changed-text', { time: formatInstant(now.lastModified), size: formatBytes(now.size) })
      }
    >
      <FormActions>
        <Button onClick={onClose} data-initial-focus>
          {t('keep-editing')}
        </Button>
        {now !== undefined && <Button onClick={() => void onReload()}>{t('reload')}</Button>}
        <Button look="danger" busy={isBusy} onClick={onOverwrite}>
          {t(now === undefined ? 'save-anyway' : 'overwrite')}
        </Button>
      </FormActions>
    </Dialog>
  );
}
