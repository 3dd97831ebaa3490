import { useRouter } from '@tanstack/react-router';
import { MonitorPlay, SquareTerminal, ArrowUpDown, X } from 'lucide';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

import { useSession } from '../../access/session.js';
import { formatPercent } from '../../i18n/format.js';
import { SessionDot } from '../../live/sessions/SessionDot.js';
import { type Session, useSessions } from '../../live/sessions/sessions.js';
import { IconButton } from '../../ui/button/Button.js';
import { Icon } from '../../ui/icon/Icon.js';
import css from './Dock.module.css';
import { t } from './texts.js';

const Confirm = lazy(async () => ({ default: (await import('../../ui/confirm/Confirm.js')).Confirm }));

const ICONS = { terminal: SquareTerminal, screen: MonitorPlay, transfer: ArrowUpDown } as const;

/** What runs beside the pages, with a way back to it. */
export function Dock(): ReactNode {
  useRestoredTerminals();
  const sessions = useSessions();
  const [ending, setEnding] = useState<Session | null>(null);
  if (sessions.length === 0) return null;
  const end = (session: Session): void => {
    // What is over has nothing to lose.
    if (session.state !== 'done' && session.state !== 'failed') setEnding(session);
    else session.end();
  };
  return (
    <aside className={css.dock} aria-label={t('dock')} data-region>
      {sessions.map((session) => (
        <Entry key={session.id} session={session} onEnd={() => end(session)} />
      ))}
      {ending !== null && (
        <Suspense>
          <Confirm
            open
            onClose={() => setEnding(null)}
            title={t('end-title', { label: ending.label, name: ending.deviceName })}
            action={t('end')}
            look="danger"
            onConfirm={() => {
              ending.end();
              setEnding(null);
            }}
          >
            {t('end-text')}
          </Confirm>
        </Suspense>
      )}
    </aside>
  );
}

function Entry({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }): ReactNode {
  const router = useRouter();
  const { kind, deviceName, label, state, progress, href } = session;
  return (
    <div className={css.entry}>
      <a
        href={href}
        className={css.link}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void router.navigate({ href });
        }}
      >
        <Icon of={ICONS[kind]} />
        <span className="cut">
          <b>{deviceName}</b> {label}
        </span>
        {progress !== undefined && state === 'running' && <span className="meta figures">{formatPercent(progress)}</span>}
        <SessionDot state={state} />
        <span className="visually-hidden">{t(`state-${state}`)}</span>
      </a>
      <IconButton icon={X} label={t('end-named', { label, name: deviceName })} small onClick={onEnd} />
    </div>
  );
}

/** Brings back the terminals that the tab had before it was reloaded, on whichever page that happened. */
function useRestoredTerminals(): void {
  const { user } = useSession();
  useEffect(() => {
    // Nothing is loaded where there is nothing to bring back.
    if (sessionStorage.getItem('terminals') === null) return;
    void import('../../live/sessions/terminal/terminals.js').then(({ restoreTerminals }) => restoreTerminals(user.id));
  }, [user.id]);
}
