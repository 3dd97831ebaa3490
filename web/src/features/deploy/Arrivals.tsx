import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { deviceQuery } from '../../api/devices/devices.js';
import { ProblemError, problemOf } from '../../problem/problem.js';
import { Banner } from '../../ui/banner/Banner.js';
import { classes } from '../../ui/classes.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { WhyLink } from '../../ui/states/WhyLink.js';
import { Status } from '../../ui/status/Status.js';
import { nameOf } from '../../model/devices/device.js';
import { keyUsagesQuery } from '../../api/devices/installer-keys.js';
import css from './DeployPage.module.css';
import type { DeployKey } from './deploy-key.js';
import { t } from './texts.js';

/** While the page is looked at, the service is asked this often. */
const INTERVAL_MS = 3000;
/** Devices that are shown: enough for one session of installing. */
const SHOWN = 10;

/** The devices that registered with a key: each turns green when its agent is connected. */
export function Arrivals({ deployKey }: { readonly deployKey: DeployKey }): ReactNode {
  const mayRead = useCan('installer-key.read');
  const usages = useQuery({ ...keyUsagesQuery(deployKey.id), refetchInterval: INTERVAL_MS, enabled: mayRead, staleTime: 0 });
  const ids = [...new Set((usages.data ?? []).map(({ deviceId }) => deviceId))].slice(0, SHOWN);
  const devices = useQueries({
    queries: ids.map((id) => ({ ...deviceQuery(id), refetchInterval: INTERVAL_MS, staleTime: 0 })),
  });
  const arrived = devices.flatMap(({ data }) => (data === undefined ? [] : [data]));
  // A device that was deleted since is no error.
  const polls = [usages, ...devices.filter(({ error }) => error === null || problemOf(error).status !== 404)];
  const error = useLastError(
    polls.find((poll) => poll.error !== null)?.error ?? null,
    polls.every(({ isSuccess }) => isSuccess),
  );
  if (!mayRead) return <ErrorState error={new ProblemError(403, { detail: t('may-not-watch') }, 'installer-key.read')} />;
  return (
    <div aria-live="polite" className="stack">
      {error !== null && (
        <Banner look="bad">
          <ProblemText error={error} /> <WhyLink error={error} />
        </Banner>
      )}
      {error === null && arrived.length === 0 && (
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

/** The error of the last poll. A query that has never succeeded forgets its own while it asks again, which would make the sentence come and go. */
function useLastError(error: Error | null, isFine: boolean): Error | null {
  const [kept, setKept] = useState<Error | null>(null);
  const last = error ?? (isFine ? null : kept);
  if (last !== kept) setKept(last);
  return last;
}
