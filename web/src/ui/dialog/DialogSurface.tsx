import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';

import { IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { t } from '../later-texts.js';
import css from './Dialog.module.css';
import { initialFocusOf, useFinalFocus } from './focus.js';
import { IsOpen } from './open.js';
import type { Opener } from './opener.js';
import { isInToast } from './outside.js';

export interface DialogProps {
  readonly open: boolean;
  /** Called when the user closes the dialog by Escape, the cross, or a click outside. */
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
  /** Keeps the dialog open after a click outside: for contents that would be lost. */
  readonly keepOnOutsideClick?: boolean;
  /** Hides everything else in the window, messages included: the user may not see it now. */
  readonly covers?: boolean;
}

interface DialogSurfaceProps extends DialogProps {
  readonly opener: Opener;
}

/** The dialog itself: the code that keeps focus and scrolling in it is loaded when the first one opens. See Dialog. */
export function DialogSurface(props: DialogSurfaceProps): ReactNode {
  const { open, onClose, title, description, children, wide, keepOnOutsideClick = false, covers = false, opener } = props;
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFinalFocus(popup, opener);
  useEffect(() => {
    // An element that has the whole screen would stand before every dialog.
    if (open && covers && document.fullscreenElement !== null) void document.exitFullscreen();
  }, [open, covers]);
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
        <Base.Backdrop className={classes(css.backdrop, covers && css.cover)} />
        <Base.Popup
          ref={popup}
          initialFocus={(by) => initialFocusOf(popup.current, by)}
          finalFocus={finalFocus}
          className={classes(css.popup, wide === true && css.wide, covers && css.overCover)}
        >
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label={t('close')} className={css.close} />} />
          </div>
          {description !== undefined && <Base.Description className={css.description}>{description}</Base.Description>}
          <IsOpen value={open}>{children}</IsOpen>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
