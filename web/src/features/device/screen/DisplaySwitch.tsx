import { Monitor } from 'lucide';
import { type ReactNode, useState } from 'react';

import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { Popover } from '../../../ui/popover/Popover.js';
import css from './DisplaySwitch.module.css';

/** The displays of the device as they stand beside each other; a click shows one. Nothing if there is one only. */
export function DisplaySwitch({ desktop }: { readonly desktop: DesktopSession }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { displays, shown } = desktop;
  if (displays.length < 2) return null;
  const left = Math.min(...displays.map(({ layoutBounds: { x } }) => x));
  const top = Math.min(...displays.map(({ layoutBounds: { y } }) => y));
  const width = Math.max(...displays.map(({ layoutBounds: { x, width: own } }) => x + own)) - left;
  const height = Math.max(...displays.map(({ layoutBounds: { y, height: own } }) => y + own)) - top;
  const share = (part: number, whole: number): string => `${whole === 0 ? 0 : (part / whole) * 100}%`;
  return (
    <Popover
      title={t('displays')}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<IconButton icon={Monitor} label={t('displays')} small disabled={desktop.connection.kind !== 'open'} />}
    >
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
              setOpen(false);
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </Popover>
  );
}
