import { ExternalLink, Monitor } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import {
  canFocusWindow,
  type DisplayWindow,
  focusWindow,
  forgetClosedWindows,
  openDisplayWindow,
  useDisplayWindows,
} from '../../../live/sessions/desktop/display-windows.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { Popover } from '../../../ui/popover/Popover.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import css from './DisplaySwitch.module.css';

type Display = DesktopSession['displays'][number];

/** The displays of the device, each with the way to show it here or in a window of its own. */
export function DisplaySwitch({ desktop }: { readonly desktop: DesktopSession }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const windows = useDisplayWindows();
  const { displays, deviceId } = desktop;
  if (displays.length === 0) return null;
  const { processId } = desktop.remembered;
  const windowOf = ({ displayId }: Display): DisplayWindow | undefined =>
    windows.find((each) => each.deviceId === deviceId && each.processId === processId && each.displayId === displayId);
  const close = (): void => setOpen(false);
  return (
    <Popover
      title={t('displays')}
      align="end"
      open={isOpen}
      onOpenChange={(opens) => {
        forgetClosedWindows();
        setOpen(opens);
      }}
      trigger={<IconButton icon={Monitor} label={t('displays')} small disabled={desktop.connection.kind !== 'open'} />}
    >
      {displays.length > 1 && <Layout desktop={desktop} onChosen={close} />}
      <ul className={css.list}>
        {displays.map((display) => (
          <li key={display.displayId} className={css.entry}>
            <OwnWindow desktop={desktop} display={display} window={windowOf(display)} onDone={close} />
          </li>
        ))}
      </ul>
    </Popover>
  );
}

interface LayoutProps {
  readonly desktop: DesktopSession;
  readonly onChosen: () => void;
}

/** The displays as they stand beside each other; a click shows one. */
function Layout({ desktop, onChosen }: LayoutProps): ReactNode {
  const { displays, shown } = desktop;
  const left = Math.min(...displays.map(({ layoutBounds: { x } }) => x));
  const top = Math.min(...displays.map(({ layoutBounds: { y } }) => y));
  const width = Math.max(...displays.map(({ layoutBounds: { x, width: own } }) => x + own)) - left;
  const height = Math.max(...displays.map(({ layoutBounds: { y, height: own } }) => y + own)) - top;
  const share = (part: number, whole: number): string => `${whole === 0 ? 0 : (part / whole) * 100}%`;
  return (
    <div className={css.layout} style={{ aspectRatio: `${width} / ${height}` }} dir="ltr">
      {displays.map(({ displayId, name, capturePixelSize, layoutBounds: bounds }) => (
        <button
          key={displayId}
          type="button"
          className={css.display}
          aria-pressed={displayId === shown?.displayId}
          aria-label={t('display', { name, width: String(capturePixelSize.width), height: String(capturePixelSize.height) })}
          style={{
            left: share(bounds.x - left, width),
            top: share(bounds.y - top, height),
            width: share(bounds.width, width),
            height: share(bounds.height, height),
          }}
          onClick={() => {
            desktop.show(displayId);
            onChosen();
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface OwnWindowProps {
  readonly desktop: DesktopSession;
  readonly display: Display;
  /** The window that shows it, if there is one. */
  readonly window: DisplayWindow | undefined;
  readonly onDone: () => void;
}

/** A display by its name, with the way to its own window. */
function OwnWindow({ desktop, display, window, onDone }: OwnWindowProps): ReactNode {
  const { user } = useSession();
  const { name } = display;
  const open = (): void => {
    if (openDisplayWindow(user.id, desktop.remembered, display)) onDone();
    else toastProblem(t('window-blocked'));
  };
  const canFocus = window !== undefined && canFocusWindow(window.desktopId);
  return (
    <>
      <span className={css.name}>
        {name}
        {window !== undefined && <span className="meta">{t('in-own-window')}</span>}
      </span>
      {window === undefined ? (
        <IconButton icon={ExternalLink} label={t('own-window', { name })} small onClick={open} />
      ) : (
        canFocus && (
          <IconButton
            icon={ExternalLink}
            label={t('to-own-window', { name })}
            small
            onClick={() => {
              focusWindow(window.desktopId);
              onDone();
            }}
          />
        )
      )}
    </>
  );
}
