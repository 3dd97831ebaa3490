import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { missingOnDevice } from '../../../problem/missing.js';
import { formatTime } from '../../../i18n/format.js';
import { Button } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { TextArea } from '../../../ui/field/Field.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DesktopPicker } from '../desktop/DesktopPicker.js';
import type { Desktop } from '../../../api/devices/desktops.js';
import { t } from '../desktop/texts.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import css from './ChatTab.module.css';
import { type ChatMessage, sends } from './conversation.js';
import { useConversation } from './useConversation.js';

/** As many characters as a message may have. */
const MOST_CHARACTERS = 100_000;

interface ChatTabProps {
  /** The process of the desktop in the address. */
  readonly process?: string;
}

/** A conversation with the person at a desktop of the device. */
export function ChatTab({ process }: ChatTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const navigate = useNavigate();
  const problem = missingOnDevice('device.chat.send', device.id);
  const choose = (chosen: string): void =>
    void navigate({ to: '/devices/$deviceId/chat', params: { deviceId: device.id }, search: { process: chosen }, replace: true });
  return (
    <DevicePanel title={t('chat')} fill>
      {!can('device.chat.send') ? (
        <Forbidden problem={problem} />
      ) : device.isOnline ? (
        <DesktopPicker process={process} onChoose={choose}>
          {(desktop) => <Chat key={desktop.processId} desktop={desktop} />}
        </DesktopPicker>
      ) : (
        <DeviceOffline />
      )}
    </DevicePanel>
  );
}

function Chat({ desktop }: { readonly desktop: Desktop }): ReactNode {
  const { device } = useCurrentDevice();
  const { messages, send, end } = useConversation(device.id, desktop);
  const [text, setText] = useState('');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [messages]);

  const submit = (): void => {
    if (text.trim() === '') return;
    send(text.trim());
    setText('');
  };
  return (
    <div className={css.chat}>
      <div className={css.log} role="log" aria-label={t('messages')}>
        {messages.length === 0 ? (
          <EmptyState title={t('chat-empty')}>{t('chat-empty-text')}</EmptyState>
        ) : (
          <ul ref={list} className={css.messages}>
            {messages.map((message) => (
              <Bubble key={message.id} message={message} />
            ))}
          </ul>
        )}
      </div>
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
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!sends(event.nativeEvent)) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className={css.actions}>
          <Button type="submit" look="primary" disabled={text.trim() === ''}>
            {t('send')}
          </Button>
          <Button look="quiet" disabled={messages.length === 0} onClick={end}>
            {t('end-chat')}
          </Button>
        </div>
      </form>
    </div>
  );
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
