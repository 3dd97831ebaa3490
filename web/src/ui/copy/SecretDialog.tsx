import { type ReactNode, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { t } from '../later-texts.js';
import { ShowOnce } from './CopyField.js';

interface SecretDialogProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly label: ReactNode;
  /** The secret; null keeps the dialog closed. Hold it nowhere else. */
  readonly value: string | null;
  /** Drops the secret. */
  readonly onClose: () => void;
  /** Further text. */
  readonly children?: ReactNode;
}

/** Shows a secret this once. Escape and the cross ask first: the secret would be lost. */
export function SecretDialog({ title, description, label, value, onClose, children }: SecretDialogProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const close = (): void => {
    setAsks(false);
    onClose();
  };
  return (
    <Dialog open={value !== null} onClose={() => setAsks(true)} title={title} description={description} keepOnOutsideClick>
      {asks && (
        <Banner
          look="warn"
          actions={
            <>
              <Button onClick={() => setAsks(false)}>{t('back')}</Button>
              <Button look="danger" onClick={close}>
                {t('close')}
              </Button>
            </>
          }
        >
          {t('close-unstored')}
        </Banner>
      )}
      {children}
      {value !== null && <ShowOnce label={label} value={value} onStored={close} />}
    </Dialog>
  );
}
