import { type ReactNode, useEffect, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { portOf } from '../../../live/sessions/screen/port.js';
import { loadVnc, type ScreenSession } from '../../../live/sessions/screen/screen-session.js';
import { currentScreen, openScreen, restoreScreens } from '../../../live/sessions/screen/screens.js';
import { t } from '../../../live/sessions/screen/texts.js';
import { MAXIMUM_SESSIONS, useSessions } from '../../../live/sessions/sessions.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { PortForm } from './PortForm.js';
import { ScreenPanel } from './ScreenPanel.js';

interface ScreenTabProps {
  /** The port in the address. */
  readonly port?: string;
}

/** The screen of the device, by the VNC server that runs there. */
export function ScreenTab({ port }: ScreenTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  useSessions();
  const screen = currentScreen(device.id);
  const problem = missingOnDevice('device.vnc-relay.connect', device.id);
  return (
    <DevicePanel title={t('title')} fill flush={screen !== undefined && screen.connection.kind !== 'absent'}>
      {can('device.vnc-relay.connect') ? <Screen screen={screen} port={port} /> : <Forbidden problem={problem} />}
    </DevicePanel>
  );
}

function Screen({ screen, port }: ScreenTabProps & { readonly screen: ScreenSession | undefined }): ReactNode {
  const { device, name } = useCurrentDevice();
  const { user, features } = useSession();
  const { publicUrl } = features;
  const [isRestored, setRestored] = useState(false);
  useEffect(() => void restoreScreens(user.id, publicUrl).then(() => setRestored(true)), [user.id, publicUrl]);
  useEffect(
    () => () => {
      // An attempt that failed leaves nothing to come back to.
      const left = currentScreen(device.id);
      if (left?.isListed === false) left.end();
    },
    [device.id],
  );
  // While the user reads and types.
  useEffect(() => void loadVnc().catch(() => undefined), []);

  const open = (wanted: number): void => {
    screen?.end();
    if (openScreen(device.id, name, wanted, publicUrl) === null) toastProblem(t('no-room', { count: MAXIMUM_SESSIONS }));
  };
  if (screen?.connection.kind === 'absent') {
    return (
      <EmptyState
        title={t('absent', { port: String(screen.port) })}
        actions={<PortForm key={screen.port} port={screen.port} action={t('retry')} onConnect={open} />}
      >
        <p>{t('absent-text')}</p>
        <p className="meta">{screen.connection.reason}</p>
      </EmptyState>
    );
  }
  if (screen !== undefined) return <ScreenPanel key={screen.id} screen={screen} />;
  if (!isRestored) return null;
  if (!device.isOnline) return <DeviceOffline />;
  if (!isSecureContext) return <EmptyState title={t('insecure')}>{t('insecure-text')}</EmptyState>;
  return (
    <EmptyState title={t('title')} actions={<PortForm port={portOf(port)} action={t('connect')} onConnect={open} />}>
      {t('connect-text', { name })}
    </EmptyState>
  );
}
