import { type ReactNode, useEffect, useState } from 'react';

import { formatTime } from '../i18n/format.js';
import { hubState, liveUntil, reconnectNow } from '../live/hub.js';
import { classes } from '../ui/classes.js';
import css from './ConnectionPill.module.css';
import { t } from './later-texts.js';

/**
 * State of the live connection. While it is lost: the time of the shown data, the time until the next attempt, and a button that tries now.
 */
export function ConnectionPill(): ReactNode {
  const state = hubState.useValue();
  if (state.kind === 'idle' || state.kind === 'connecting') return null;
  if (state.kind === 'live') return <span className={classes(css.pill, css.live)}>{t('live')}</span>;
  const until = liveUntil();
  return (
    <span className={classes(css.pill, css.lost)} role="status">
      <span className={css.words}>
        <span>{state.kind === 'offline' ? t('offline') : <Countdown until={state.retryAt} />}</span>
        {until !== null && <span>{t('as-of', { time: formatTime(new Date(until)) })}</span>}
      </span>
      <button type="button" className="link" onClick={() => void reconnectNow()}>
        {t('now')}
      </button>
    </span>
  );
}

function Countdown({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return t('reconnecting', { count: Math.max(0, Math.ceil((until - now) / 1000)) });
}
