import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { initialFocusOf, useOpener } from '../dialog/focus.js';
import { isInToast } from '../dialog/outside.js';
import dialogCss from '../dialog/Dialog.module.css';
import { t } from '../texts.js';
import css from './Drawer.module.css';

interface DrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons that stay in view at the end. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

/** Details or a longer form at the side of the page; on a phone a sheet from the bottom. */
export function Drawer({ open, onClose, title, description, children, actions, wide = false }: DrawerProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const opener = useOpener(open);
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
          finalFocus={opener}
          className={classes(css.drawer, wide && css.wide)}
        >
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label={t('close')} />} />
          </div>
          <div className={css.body}>
            {description !== undefined && <Base.Description className="muted">{description}</Base.Description>}
            {children}
          </div>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
