import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { chatAt, lastChat } from '../../../live/sessions/chat/chats.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DesktopPicker } from '../desktop/DesktopPicker.js';
import { t } from '../desktop/texts.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { Chat } from './Chat.js';

interface ChatTabProps {
  /** The process of the desktop in the address. */
  readonly process?: string;
}

/** The chat with the person at a desktop of the device. */
export function ChatTab({ process }: ChatTabProps): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const navigate = useNavigate();
  useSessions();
  const problem = missingOnDevice('device.chat.send', device.id);
  const choose = (chosen: string): void =>
    void navigate({ to: '/devices/$deviceId/chat', params: { deviceId: device.id }, search: { process: chosen }, replace: true });
  const last = lastChat(device.id);
  return (
    <DevicePanel title={t('chat')} fill>
      {!can('device.chat.send') ? (
        <Forbidden problem={problem} />
      ) : device.isOnline ? (
        <DesktopPicker process={process} onChoose={choose}>
          {(desktop) => {
            const chat = chatAt(device.id, name, desktop);
            return <Chat key={chat.id} chat={chat} desktop={desktop} />;
          }}
        </DesktopPicker>
      ) : last === undefined ? (
        <DeviceOffline />
      ) : (
        <Chat key={last.id} chat={last} desktop={null} />
      )}
    </DevicePanel>
  );
}
