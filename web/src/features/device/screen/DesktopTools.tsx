import { Eye, Keyboard, Maximize, Scaling, X } from 'lucide';
import type { ReactNode, RefObject } from 'react';

import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { useCurrentDevice } from '../current-device.js';
import { toggleFullScreen } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';
import css from './ScreenPanel.module.css';

interface DesktopToolsProps {
  readonly desktop: DesktopSession;
  /** The panel, which can fill the screen. */
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly tools: RefObject<HTMLDivElement | null>;
}

/** The buttons over a desktop. */
export function DesktopTools({ desktop, panel, tools }: DesktopToolsProps): ReactNode {
  const { can } = useCurrentDevice();
  const isOpen = desktop.connection.kind === 'open';
  const mayInteract = can('device.remote-control.interact');
  return (
    <div className={classes(frame.tools, css.tools)} role="toolbar" aria-label={t('tools')} ref={tools}>
      <IconButton
        icon={Scaling}
        label={t('actual-size')}
        aria-pressed={desktop.zoom === 'actual'}
        small
        onClick={() => desktop.toggleZoom()}
      />
      <IconButton
        icon={Eye}
        label={t('view-only')}
        aria-pressed={desktop.isViewOnly}
        small
        disabled={!mayInteract}
        onClick={() => desktop.toggleViewOnly()}
      />
      {can('device.ctrl-alt-del.send') && (
        <IconButton
          icon={Keyboard}
          label={t('ctrl-alt-del')}
          small
          disabled={!isOpen || desktop.isViewOnly}
          onClick={() => void desktop.pressCtrlAltDel()}
        />
      )}
      <IconButton
        icon={Maximize}
        label={t('full-screen')}
        small
        onClick={() => void toggleFullScreen(panel.current).then(() => desktop.focus())}
      />
      <IconButton icon={X} label={t('end')} small onClick={desktop.end} />
    </div>
  );
}
