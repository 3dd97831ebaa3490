import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { Desktop } from '../../../api/devices/desktops.js';
import { formatTime } from '../../../i18n/format.js';
import type { ChatSession } from '../../../live/sessions/chat/chat-session.js';
import { type ChatEntry, type ChatEvent, type ChatMessage, sends } from '../../../live/sessions/chat/conversation.js';
import { t as chatText } from '../../../live/sessions/chat/texts.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { TextArea } from '../../../ui/field/Field.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { t } from '../desktop/texts.js';
import { OfflineActs } from '../frame/OfflineActs.js';
import css from './Chat.module.css';

/** As many characters as a message may have. */
const MOST_CHARACTERS = 100_000;

interface ChatProps {
  readonly chat: ChatSession;
  /** The desktop as it is now; null while the device is offline. */
  readonly desktop: Desktop | null;
}

/** A chat with its history. It belongs to the session and outlives this part of the page. */
export function Chat({ chat, desktop }: ChatProps): ReactNode {
  useSessions();
  const { entries } = chat;
  const [text, setText] = useState(chat.draft);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => chat.watch(), [chat]);
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [entries]);

  const write = (draft: string): void => {
    chat.keepDraft(draft);
    setText(draft);
  };
  const submit = (): void => {
    if (desktop === null || text.trim() === '') return;
    chat.send(text.trim(), desktop).catch(toastProblem);
    write('');
  };
  return (
    <div className={css.chat}>
      <div className={css.log} role="log" aria-label={t('messages')}>
        {entries.length === 0 ? (
          <EmptyState title={t('chat-empty')}>{t('chat-empty-text')}</EmptyState>
        ) : (
          <ul ref={list} className={css.messages}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </div>
      {desktop === null && (
        <Banner look="warn" actions={<OfflineActs />}>
          {chatText('offline', { name: chat.deviceName })}
        </Banner>
      )}
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextArea
          label={t('message')}
          hint={t('message-hint')}
          rows={2}
          maxLength={MOST_CHARACTERS}
          value={text}
          autoFocus
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!sends(event.nativeEvent)) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className={css.actions}>
          <Button type="submit" look="primary" disabled={desktop === null || text.trim() === ''}>
            {t('send')}
          </Button>
          <Button look="quiet" disabled={!chat.isRunning} onClick={chat.end}>
            {t('end-chat')}
          </Button>
        </div>
      </form>
    </div>
  );
}

const Entry = ({ entry }: { readonly entry: ChatEntry }): ReactNode =>
  'event' in entry ? <Event event={entry} /> : <Bubble message={entry} />;

function Event({ event: { event, by, at } }: { readonly event: ChatEvent }): ReactNode {
  return <li className={css.event}>{[chatText(event, { name: by ?? '' }), formatTime(at)].join(' · ')}</li>;
}

function Bubble({ message: { from, text, at, delivery } }: { readonly message: ChatMessage }): ReactNode {
  return (
    <li className={classes(css.bubble, from === null && css.own)} data-failed={delivery === 'failed' || undefined}>
      <span className="meta">{[from ?? t('you'), formatTime(at)].join(' · ')}</span>
      <span className={css.words}>{text}</span>
      {delivery !== undefined && <span className={css.delivery}>{t(delivery)}</span>}
    </li>
  );
}
