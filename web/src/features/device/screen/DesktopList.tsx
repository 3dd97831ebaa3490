import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { type Desktop, desktopsQuery } from '../../../api/devices/desktops.js';
import { expectSuccess, invoke } from '../../../live/hub.js';
import { openDesktop } from '../../../live/sessions/desktop/desktops.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { Viewport } from '../../../live/sessions/desktop/viewport.js';
import { MAXIMUM_SESSIONS } from '../../../live/sessions/sessions.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { Checkbox } from '../../../ui/checkbox/Checkbox.js';
import { classes } from '../../../ui/classes.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { WhyLink } from '../../../ui/states/WhyLink.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { DesktopPicture } from './DesktopPicture.js';
import css from './Desktops.module.css';

const CONNECT = 'device.remote-control.connect';

/** Name of a desktop: who is signed in there. */
const labelOf = ({ username }: Desktop): string => (username === '' ? t('nobody') : username);

interface DesktopListProps {
  /** The process of the desktop in the address: only that one is shown. */
  readonly process: string | undefined;
}

/** The desktops of the device, with a preview of each and the way to see and control it. */
export function DesktopList({ process }: DesktopListProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const { data: desktops, error, refetch, isFetching } = useQuery(desktopsQuery(device.id));
  const [asksFirst, setAsksFirst] = useState(false);
  const mayConnect = can(CONNECT);
  const canShow = Viewport.isSupported;
  return (
    <section className={css.section} aria-label={t('desktops')}>
      <h2 className={css.heading}>{t('desktops')}</h2>
      {!mayConnect && <Banner actions={<WhyLink error={missingOnDevice(CONNECT, device.id)} />}>{t('preview-only')}</Banner>}
      {mayConnect && !canShow && <Banner look="warn">{t('still-pictures')}</Banner>}
      {desktops === undefined ? (
        error === null ? (
          <SkeletonList rows={3} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : desktops.length === 0 ? (
        <EmptyState
          title={t('no-desktops')}
          actions={
            <Button busy={isFetching} onClick={() => void refetch()}>
              {t('refresh')}
            </Button>
          }
        >
          {t('no-desktops-text')}
        </EmptyState>
      ) : (
        <>
          {mayConnect && canShow && (
            <Checkbox
              label={t('ask-first')}
              hint={t('ask-first-hint')}
              checked={asksFirst}
              onChange={({ currentTarget }) => setAsksFirst(currentTarget.checked)}
            />
          )}
          <Cards desktops={desktops} process={process} asksFirst={asksFirst} mayConnect={mayConnect && canShow} />
        </>
      )}
    </section>
  );
}

interface CardsProps {
  readonly desktops: readonly Desktop[];
  readonly process: string | undefined;
  readonly asksFirst: boolean;
  readonly mayConnect: boolean;
}

function Cards({ desktops, process, ...how }: CardsProps): ReactNode {
  const { device } = useCurrentDevice();
  const named = desktops.filter(({ processId }) => String(processId) === process);
  const shown = named.length === 0 ? desktops : named;
  return (
    <>
      <ul className={classes(css.cards, shown.length === 1 && css.alone)}>
        {shown.map((desktop) => (
          <li key={desktop.processId} className={css.card}>
            <Card desktop={desktop} isAlone={shown.length === 1} {...how} />
          </li>
        ))}
      </ul>
      {shown.length < desktops.length && (
        <Link to="/devices/$deviceId/screen" params={{ deviceId: device.id }} className="link">
          {t('all-desktops')}
        </Link>
      )}
    </>
  );
}

interface CardProps extends Pick<CardsProps, 'asksFirst' | 'mayConnect'> {
  readonly desktop: Desktop;
  readonly isAlone: boolean;
}

function Card({ desktop, isAlone, asksFirst, mayConnect }: CardProps): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const { features } = useSession();
  const request = useMutation({
    mutationFn: () => requestPermission(device.id, desktop.processId),
    // Also to users who have gone on to another page.
    onSuccess: () => toast(t('permission-asked')),
    onError: toastProblem,
  });
  const { processId, systemSessionId, type, username, areRemoteControlPermissionsGranted: isGranted } = desktop;
  const label = labelOf(desktop);
  const connect = (): void => {
    const shown = { deviceId: device.id, deviceName: name, processId, systemSessionId, type, username, name: desktop.name, asksFirst };
    if (openDesktop(shown, features.publicUrl) === null) toastProblem(t('no-room', { count: MAXIMUM_SESSIONS }));
  };
  return (
    <>
      {!features.disableDesktopPreview && can('device.desktop-preview.read') && (
        <DesktopPicture desktop={desktop} label={username === '' ? name : username} isAlone={isAlone} />
      )}
      <div>
        <div className={css.name}>{label}</div>
        <div className="meta">{desktop.name}</div>
      </div>
      {!isGranted && <p className="meta">{t('no-control')}</p>}
      {mayConnect && (
        <div className={css.actions}>
          <Button
            look={isAlone ? 'primary' : 'plain'}
            aria-label={isAlone ? undefined : t('connect-named', { desktop: `${label} · ${desktop.name}` })}
            onClick={connect}
          >
            {t('connect')}
          </Button>
          {!isGranted && (
            <Button look="quiet" busy={request.isPending} onClick={() => request.mutate()}>
              {t('request-permission')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Asks the person at the device to let the agent see and control a desktop. */
async function requestPermission(deviceId: string, targetProcessId: number): Promise<void> {
  expectSuccess(await invoke('RequestRemoteControlPermission2', { deviceId, targetProcessId }), CONNECT, deviceId);
}
