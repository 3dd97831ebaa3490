import { type ReactNode, useEffect } from 'react';

import { useSession } from '../../../access/session.js';
import { portOf } from '../../../live/sessions/screen/port.js';
import { loadVnc, type ScreenSession } from '../../../live/sessions/screen/screen-session.js';
import { openScreen } from '../../../live/sessions/screen/screens.js';
import { t } from '../../../live/sessions/screen/texts.js';
import { MAXIMUM_SESSIONS } from '../../../live/sessions/sessions.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Desktops.module.css';
import { PortForm } from './PortForm.js';

interface VncSectionProps {
  /** The port in the address. */
  readonly port: string | undefined;
  /** The last attempt, if no VNC server was there. */
  readonly failed: ScreenSession | undefined;
  /** True if there are no desktops above it. */
  readonly isAlone: boolean;
}

/** Connects with the VNC server on the device. */
export function VncSection({ port, failed, isAlone }: VncSectionProps): ReactNode {
  const { device, name } = useCurrentDevice();
  const { features } = useSession();
  // While the user reads and types.
  useEffect(() => void loadVnc().catch(() => undefined), []);
  const open = (wanted: number): void => {
    failed?.end();
    if (openScreen(device.id, name, wanted, features.publicUrl) === null) toastProblem(t('no-room', { count: MAXIMUM_SESSIONS }));
  };
  return (
    <section className={css.section} aria-label={t('vnc')}>
      <h2 className={css.heading}>{t('vnc')}</h2>
      <p className="muted">{t('connect-text', { name })}</p>
      {failed?.connection.kind === 'absent' && (
        <Banner look="warn">
          <strong>{t('absent', { port: String(failed.port) })}</strong>
          <p>{t('absent-text')}</p>
          <p className="meta">{failed.connection.reason}</p>
        </Banner>
      )}
      {isSecureContext ? (
        <PortForm
          key={failed?.port}
          port={failed?.port ?? portOf(port)}
          action={t(failed === undefined ? 'connect' : 'retry')}
          look={isAlone ? 'primary' : 'plain'}
          onConnect={open}
        />
      ) : (
        <Banner look="warn">
          <strong>{t('insecure')}</strong>
          <p>{t('insecure-text')}</p>
        </Banner>
      )}
    </section>
  );
}
