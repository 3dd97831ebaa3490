import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { runningSessionsQuery } from '../../../api/devices/device-inventory.js';
import { formatRelative } from '../../../i18n/format.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Inventory.module.css';
import { t } from './texts.js';

/** Users with terminals and screens of the device. */
export function ConnectedNow(): ReactNode {
  const { device } = useCurrentDevice();
  const now = useNow();
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
        <ul className={css.list}>
          {data.map(({ id, kind, principalName, isOwn, startedAt }) => (
            <li key={id} className={css.program}>
              <span className={css.name}>{isOwn ? t('you', { name: principalName }) : principalName}</span>
              <span className="meta">{t('connected-since', { kind: kindText(kind), since: formatRelative(startedAt, now) })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const kindText = (kind: string): string =>
  kind === 'Vnc' ? t('kind-Vnc') : kind === 'RemoteControl' ? t('kind-RemoteControl') : t('kind-Terminal');
