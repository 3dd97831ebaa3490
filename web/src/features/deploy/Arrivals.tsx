import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { classes } from '../../ui/classes.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Status } from '../../ui/status/Status.js';
import { nameOf } from '../devices/columns.js';
import { deviceQuery } from '../devices/queries.js';
import { keyUsagesQuery } from '../installer-keys/queries.js';
import css from './DeployPage.module.css';
import { t } from './texts.js';

/** While the page is looked at, the service is asked this often. */
const INTERVAL_MS = 3000;
/** Devices that are shown: enough for one session of installing. */
const SHOWN = 10;

/** The devices that registered with a key: each turns green when its agent is connected. */
export function Arrivals({ keyId }: { readonly keyId: string }): ReactNode {
  const mayRead = useCan('installer-key.read');
  const usages = useQuery({ ...keyUsagesQuery(keyId), refetchInterval: INTERVAL_MS, enabled: mayRead, staleTime: 0 });
  const ids = [...new Set((usages.data ?? []).map(({ deviceId }) => deviceId))].slice(0, SHOWN);
  const devices = useQueries({
    queries: ids.map((id) => ({ ...deviceQuery(id), refetchInterval: INTERVAL_MS, staleTime: 0 })),
  });
  if (!mayRead) return null;
  const arrived = devices.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return (
    <div aria-live="polite" className="stack">
      {arrived.length === 0 && (
        <div className={css.arrived}>
          <span className={css.pulse} aria-hidden />
          {t('waiting')}
        </div>
      )}
      {arrived.map((device) => (
        <div key={device.id} className={classes(css.arrived, device.isOnline && css.green)}>
          <Status look={device.isOnline ? 'online' : 'offline'} />
          <b className="grow cut">{nameOf(device)}</b>
          <LinkButton to="/devices/$deviceId" params={{ deviceId: device.id }}>
            {t('open-device', { name: nameOf(device) })}
          </LinkButton>
        </div>
      ))}
    </div>
  );
}
