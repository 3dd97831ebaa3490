import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { t } from '../texts.js';
import css from './Dialog.module.css';
import { initialFocusOf, useOpener } from './focus.js';
import { isInToast } from './outside.js';

interface DialogProps {
  readonly open: boolean;
  /** Called when the user closes the dialog by Escape, the cross, or a click outside. */
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
  /** Whether a click outside leaves the dialog open: for what would be lost. */
  readonly keepOnOutsideClick?: boolean;
}

/** A question or a small form over the page. Focus stays in it and returns to where it was. */
export function Dialog({ open, onClose, title, description, children, wide, keepOnOutsideClick = false }: DialogProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const opener = useOpener(open);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={keepOnOutsideClick}
      onOpenChange={(isOpen, { reason, event, cancel }) => {
        if (isOpen) return;
        if (reason === 'outside-press' && isInToast(event)) cancel();
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={(by) => initialFocusOf(popup.current, by)}
          finalFocus={opener}
          className={classes(css.popup, wide === true && css.wide)}
        >
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label={t('close')} className={css.close} />} />
          </div>
          {description !== undefined && <Base.Description className={css.description}>{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
