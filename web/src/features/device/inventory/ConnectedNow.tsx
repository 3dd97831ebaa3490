import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { endSession, type RunningSession, runningSessionsQuery } from '../../../api/devices/device-inventory.js';
import { formatRelative } from '../../../i18n/format.js';
import { Button } from '../../../ui/button/Button.js';
import { RevokeDialog } from '../../../ui/confirm/RevokeDialog.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Inventory.module.css';
import { t } from './texts.js';

/** Users with terminals and screens of the device. Screens can be ended. */
export function ConnectedNow(): ReactNode {
  const { device } = useCurrentDevice();
  const { data, error, refetch } = useQuery(runningSessionsQuery(device.id));
  return (
    <section className={css.part} aria-label={t('connected')}>
      <h2>{t('connected')}</h2>
      {data === undefined ? (
        error === null ? (
          <SkeletonList rows={1} columns={[1]} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <p className="muted">{t('connected-none')}</p>
      ) : (
        <Sessions sessions={data} />
      )}
    </section>
  );
}

function Sessions({ sessions }: { readonly sessions: readonly RunningSession[] }): ReactNode {
  const { device, can } = useCurrentDevice();
  const now = useNow();
  const [ending, setEnding] = useState<RunningSession | null>(null);
  const mayEnd = can('device.power.manage');
  return (
    <>
      <ul className={css.list}>
        {sessions.map((session) => (
          <li key={session.id} className={css.head}>
            <span className={css.program}>
              <span className={css.name}>{nameOf(session)}</span>
              <span className="meta">{factsOf(session, now)}</span>
            </span>
            {mayEnd && session.canBeEnded && <Button onClick={() => setEnding(session)}>{t('connected-end')}</Button>}
          </li>
        ))}
      </ul>
      <RevokeDialog
        subject={ending}
        onClose={() => setEnding(null)}
        title={(session) => t('connected-end-title', { name: session.principalName })}
        text={(session) => t('connected-end-text', { name: session.principalName })}
        action={() => t('connected-end')}
        act={({ id }) => endSession({ deviceId: device.id, sessionId: id })}
        onDone={() => toast(t('connected-ended'))}
      />
    </>
  );
}

const nameOf = ({ isOwn, principalName }: RunningSession): string => (isOwn ? t('you', { name: principalName }) : principalName);

function factsOf({ kind, startedAt, isViewOnly }: RunningSession, now: number): string {
  const since = t('connected-since', { kind: kindText(kind), since: formatRelative(startedAt, now) });
  return isViewOnly === true ? `${since} · ${t('connected-view-only')}` : since;
}

const kindText = (kind: string): string =>
  kind === 'Vnc' ? t('kind-Vnc') : kind === 'RemoteControl' ? t('kind-RemoteControl') : t('kind-Terminal');
