import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { currentDesktop, restoreDesktops } from '../../../live/sessions/desktop/desktops.js';
import { currentScreen, restoreScreens } from '../../../live/sessions/screen/screens.js';
import { t } from '../../../live/sessions/screen/texts.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { DesktopList } from './DesktopList.js';

// Their tools weigh as much as the rest of the tab, and come once a desktop or a server is opened.
const DesktopPanel = lazy(async () => ({ default: (await import('./DesktopPanel.js')).DesktopPanel }));
const ScreenPanel = lazy(async () => ({ default: (await import('./ScreenPanel.js')).ScreenPanel }));
// Its form follows the list of desktops.
const VncSection = lazy(async () => ({ default: (await import('./VncSection.js')).VncSection }));

interface ScreenTabProps {
  /** The port in the address. */
  readonly port?: string;
  /** The process of a desktop in the address. */
  readonly process?: string;
}

/** The desktops of the device, seen and controlled through its agent or through a VNC server. */
export function ScreenTab({ port, process }: ScreenTabProps): ReactNode {
  const { device } = useCurrentDevice();
  const isRestored = useRestored();
  useSessions();
  const desktop = currentDesktop(device.id);
  const screen = currentScreen(device.id);
  const isShown = desktop !== undefined || (screen !== undefined && screen.connection.kind !== 'absent');
  return (
    <DevicePanel title={t('title')} fill flush={isShown}>
      {desktop !== undefined ? (
        <Suspense>
          <DesktopPanel key={desktop.id} desktop={desktop} />
        </Suspense>
      ) : screen !== undefined && isShown ? (
        <Suspense>
          <ScreenPanel key={screen.id} screen={screen} />
        </Suspense>
      ) : (
        isRestored && <Choice port={port} process={process} />
      )}
    </DevicePanel>
  );
}

/** Brings back what this tab showed before its reload. True once that is done. */
function useRestored(): boolean {
  const { device } = useCurrentDevice();
  const { user, features } = useSession();
  const { publicUrl } = features;
  const [isRestored, setRestored] = useState(false);
  useEffect(
    () => void Promise.all([restoreScreens(user.id, publicUrl), restoreDesktops(user.id, publicUrl)]).then(() => setRestored(true)),
    [user.id, publicUrl],
  );
  useEffect(
    () => () => {
      // An attempt that failed leaves nothing to come back to.
      for (const left of [currentScreen(device.id), currentDesktop(device.id)]) if (left?.isListed === false) left.end();
    },
    [device.id],
  );
  return isRestored;
}

/** The desktops and servers to connect to. */
function Choice({ port, process }: ScreenTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const { features } = useSession();
  const seesDesktops = can('device.remote-control.connect') || (can('device.desktop-preview.read') && !features.disableDesktopPreview);
  const hasVnc = can('device.vnc-relay.connect');
  if (!seesDesktops && !hasVnc) return <Forbidden problem={missingOnDevice('device.remote-control.connect', device.id)} />;
  if (!device.isOnline) return <DeviceOffline />;
  return (
    <>
      {seesDesktops && <DesktopList process={process} />}
      {hasVnc && (
        <Suspense>
          <VncSection port={port} failed={currentScreen(device.id)} isAlone={!seesDesktops} />
        </Suspense>
      )}
    </>
  );
}
