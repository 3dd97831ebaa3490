import { type ReactNode, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { t } from '../texts.js';
import { ShowOnce } from './CopyField.js';

interface ShowOnceDialogProps {
  /** What was created: "Key created". */
  readonly title: ReactNode;
  /** What the value is: "Key". */
  readonly label: ReactNode;
  /** The secret; null while there is none, which closes the dialog. Keep it in the state of the page only. */
  readonly value: string | null;
  /** Called when the dialog closes: drop the value. */
  readonly onClose: () => void;
  /** What to do with the value. */
  readonly children?: ReactNode;
}

/** Shows a secret this once. It closes when the user says that the value is stored; Escape asks. */
export function ShowOnceDialog({ title, label, value, onClose, children }: ShowOnceDialogProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const close = (): void => {
    setAsks(false);
    onClose();
  };
  return (
    <Dialog open={value !== null} onClose={() => setAsks(true)} title={title} keepOnOutsideClick>
      {asks && (
        <Banner look="bad" actions={<Button onClick={close}>{t('close-anyway')}</Button>}>
          {t('close-unstored')}
        </Banner>
      )}
      {children}
      {value !== null && <ShowOnce label={label} value={value} onStored={close} />}
    </Dialog>
  );
}
