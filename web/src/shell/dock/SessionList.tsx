import { useRouter } from '@tanstack/react-router';
import { ArrowUpDown, MessageSquare, MonitorPlay, SquareTerminal, X } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { formatNumber, formatPercent } from '../../i18n/format.js';
import { SessionDot } from '../../live/sessions/SessionDot.js';
import type { Session } from '../../live/sessions/sessions.js';
import { IconButton } from '../../ui/button/Button.js';
import { Icon } from '../../ui/icon/Icon.js';
import css from './SessionList.module.css';
import { t } from './texts.js';

const Confirm = lazy(async () => ({ default: (await import('../../ui/confirm/Confirm.js')).Confirm }));

const ICONS = { terminal: SquareTerminal, screen: MonitorPlay, chat: MessageSquare, transfer: ArrowUpDown } as const;

interface SessionListProps {
  readonly sessions: readonly Session[];
  /** The page of one of them was asked for. */
  readonly onFollow?: () => void;
}

/** Terminals, screens, chats and transfers, each with the way back to it and out of it. */
export function SessionList({ sessions, onFollow }: SessionListProps): ReactNode {
  const [ending, setEnding] = useState<Session | null>(null);
  const end = (session: Session): void => {
    // A session that has ended has nothing to lose.
    if (session.state !== 'done' && session.state !== 'failed') setEnding(session);
    else session.end();
  };
  return (
    <>
      {sessions.map((session) => (
        <Entry key={session.id} session={session} onFollow={onFollow} onEnd={() => end(session)} />
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
            {t(ending.kind === 'chat' ? 'end-text-chat' : 'end-text')}
          </Confirm>
        </Suspense>
      )}
    </>
  );
}

interface EntryProps {
  readonly session: Session;
  readonly onFollow?: () => void;
  readonly onEnd: () => void;
}

function Entry({ session, onFollow, onEnd }: EntryProps): ReactNode {
  const router = useRouter();
  const { kind, deviceName, label, state, progress, unread = 0, href } = session;
  return (
    <div className={css.entry}>
      <a
        href={href}
        className={css.link}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onFollow?.();
          void router.navigate({ href });
        }}
      >
        <Icon of={ICONS[kind]} />
        <span className="cut">
          <b>{deviceName}</b> {label}
        </span>
        {progress !== undefined && state === 'running' && <span className="meta figures">{formatPercent(progress)}</span>}
        {unread > 0 && (
          <span className={css.unread}>
            <span aria-hidden>{formatNumber(unread)}</span>
            <span className="visually-hidden">{t('unread', { count: unread })}</span>
          </span>
        )}
        <SessionDot state={state} />
        <span className="visually-hidden">{t(`state-${state}`)}</span>
      </a>
      <IconButton icon={X} label={t('end-named', { label, name: deviceName })} small onClick={onEnd} />
    </div>
  );
}
