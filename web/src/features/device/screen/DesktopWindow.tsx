import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { currentDesktop, restoreDesktops } from '../../../live/sessions/desktop/desktops.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';

// Its route is that of the tab, which does without the tools until a desktop is opened.
const DesktopPanel = lazy(async () => ({ default: (await import('./DesktopPanel.js')).DesktopPanel }));

/** One display of a desktop in a window of its own, with nothing around it. */
export function DesktopWindow(): ReactNode {
  const { device } = useCurrentDevice();
  const { user, features } = useSession();
  const [isRestored, setRestored] = useState(false);
  useSessions();
  useEffect(() => void restoreDesktops(user.id, features.publicUrl).then(() => setRestored(true)), [user.id, features.publicUrl]);
  const desktop = currentDesktop(device.id);
  const isShown = desktop !== undefined;
  const lastShown = useRef(desktop);
  useEffect(() => {
    // The user has ended the session. A window that has recorded stays, so that its recording is saved for sure.
    if (lastShown.current?.recorder.hasRecorded === false && !isShown) window.close();
    lastShown.current = desktop;
  }, [desktop, isShown]);

  if (desktop === undefined)
    return (
      <DevicePanel title={t('desktops')} fill>
        {isRestored && (
          <EmptyState
            title={<h1>{t('not-here')}</h1>}
            actions={
              <LinkButton to="/devices/$deviceId/screen" params={{ deviceId: device.id }} look="primary">
                {t('choose')}
              </LinkButton>
            }
          >
            {t('not-here-text')}
          </EmptyState>
        )}
      </DevicePanel>
    );
  return (
    <DevicePanel title={desktop.shown?.name ?? desktop.label} fill flush>
      <Suspense>
        <DesktopPanel desktop={desktop} isAlone />
      </Suspense>
    </DevicePanel>
  );
}
