import { useEffect, useRef, useState } from 'react';

import type { Timestamp } from '#libs/contracts';

import { expectSuccess, invoke, onPush } from '../../../live/hub.js';
import { newId } from '../../../live/sessions/new-id.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import type { Desktop } from '../../../api/devices/desktops.js';
import { type ChatMessage, withDelivery } from './conversation.js';

const PERMISSION = 'device.chat.send';

export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly send: (text: string) => void;
  /** Closes the window on the device. The next message begins another conversation. */
  readonly end: () => void;
}

/** A conversation with the person at a desktop. It is kept as long as the tab is shown, and nowhere else. */
export function useConversation(deviceId: string, desktop: Desktop): Conversation {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([]);
  const [sessionId, setSessionId] = useState(newId);
  const wasUsed = useRef(false);
  const { processId, systemSessionId } = desktop;

  useEffect(() => {
    const stop = onPush('ReceiveChatResponse', (response) => {
      if (response.sessionId !== sessionId) return false;
      const { senderUsername: from, message: text } = response;
      setMessages((known) => [...known, { id: newId(), from, text, at: new Date() }]);
      // The answer tells the agent that the message is on the screen.
      return true;
    });
    return () => {
      stop();
      if (wasUsed.current) void close(deviceId, sessionId, processId).catch(() => undefined);
      wasUsed.current = false;
    };
  }, [deviceId, sessionId, processId]);

  const send = (text: string): void => {
    const id = newId();
    const at = new Date();
    wasUsed.current = true;
    setMessages((known) => [...known, { id, from: null, text, at, delivery: 'sending' }]);
    invoke('SendChatMessage2', {
      deviceId,
      sessionId,
      message: text,
      senderName: '',
      senderEmail: '',
      targetSystemSession: systemSessionId,
      targetProcessId: processId,
      // JSON shows an instant as a text.
      timestamp: at.toISOString() as unknown as Timestamp,
      viewerConnectionId: '',
    })
      .then((result) => {
        expectSuccess(result, PERMISSION, deviceId);
        setMessages((known) => withDelivery(known, id, 'delivered'));
      })
      .catch((error: unknown) => {
        setMessages((known) => withDelivery(known, id, 'failed'));
        toastProblem(error);
      });
  };
  const end = (): void => {
    setMessages([]);
    setSessionId(newId());
  };
  return { messages, send, end };
}

const close = async (deviceId: string, sessionId: string, targetProcessId: number): Promise<void> =>
  void (await invoke('CloseChatSession2', { deviceId, sessionId, targetProcessId }));
