import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide';
import { type ReactNode, useRef } from 'react';

import { IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { initialFocusOf, useFinalFocus } from '../dialog/focus.js';
import { IsOpen } from '../dialog/open.js';
import type { Opener } from '../dialog/opener.js';
import { isInToast } from '../dialog/outside.js';
import dialogCss from '../dialog/Dialog.module.css';
import { t } from '../later-texts.js';
import css from './Drawer.module.css';

export interface DrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons that stay in view at the end. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

interface DrawerSurfaceProps extends DrawerProps {
  readonly opener: Opener;
}

/** The drawer itself, loaded when the first one opens. See Drawer. */
export function DrawerSurface(props: DrawerSurfaceProps): ReactNode {
  const { open, onClose, title, description, children, actions, wide = false, opener } = props;
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFinalFocus(popup, opener);
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen, { reason, event, cancel }) => {
        if (isOpen) return;
        if (reason === 'outside-press' && isInToast(event)) cancel();
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={dialogCss.backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={(by) => initialFocusOf(popup.current, by)}
          finalFocus={finalFocus}
          className={classes(css.drawer, wide && css.wide)}
        >
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label={t('close')} />} />
          </div>
          <div className={css.body}>
            {description !== undefined && <Base.Description className="muted">{description}</Base.Description>}
            <IsOpen value={open}>{children}</IsOpen>
          </div>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
