import type { ReactNode } from 'react';

import type { Webhook } from '../../api/system/webhooks.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { Status } from '../../ui/status/Status.js';
import css from './Webhooks.module.css';
import { t } from './texts.js';
import { isFault } from './words.js';

/** State of a webhook: active, or paused with the reason and the time of the pause. */
export function State({ of: { pause, pausedAt } }: { readonly of: Webhook }): ReactNode {
  if (pause === null) return <Status look="online">{t('active')}</Status>;
  return (
    <span className={css.state}>
      <Status look={isFault({ pause }) ? 'error' : 'offline'}>{t('paused')}</Status>
      <span className={css.reason}>
        {t(`reason-${pause}`)}
        {pausedAt !== null && (
          <>
            {' · '}
            <RelativeTime at={pausedAt} />
          </>
        )}
      </span>
    </span>
  );
}

const LOOKS = { Delivered: 'online', Waiting: 'warning', Failed: 'error' } as const;
const WORDS = { Delivered: 'delivered', Waiting: 'waiting', Failed: 'failed' } as const;

interface ResultProps {
  readonly of: Pick<NonNullable<Webhook['lastDelivery']>, 'state' | 'lastStatus' | 'lastError'>;
}

/** Result of a delivery: the status of the receiver, or why it failed. */
export function Result({ of: { state, lastStatus, lastError } }: ResultProps): ReactNode {
  return (
    <span className={css.state}>
      <Status look={LOOKS[state]}>
        {state === 'Delivered' && lastStatus !== null ? t('delivered-status', { status: lastStatus }) : t(WORDS[state])}
      </Status>
      {lastError !== null && <span className={css.reason}>{lastError}</span>}
    </span>
  );
}
