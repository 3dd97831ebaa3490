import { record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { guid, int32, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const ChatMessageHubDto = record(
  'ChatMessageHubDto',
  'A message from a viewer to the person at a device.',
  {
    deviceId: guid,
    sessionId: guid,
    message: text(MAX_TEXT_LENGTH),
    senderName: text(MAX_NAME_LENGTH),
    senderEmail: text(MAX_NAME_LENGTH),
    targetSystemSession: int32,
    targetProcessId: int32,
    timestamp,
    viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
  },
  {
    deviceId: 'The device that the message is for.',
    sessionId: 'Chosen by the viewer; the same for all messages of one chat.',
    senderName: 'Set by the server: the name of the viewer for the person at the device.',
    senderEmail: 'Set by the server.',
    targetSystemSession: 'The desktop session to show the message in, as `DesktopSession.systemSessionId`.',
    targetProcessId: 'The process that shows the message, as `DesktopSession.processId`.',
    viewerConnectionId: 'Set by the server: the connection that gets the answer.',
  },
);
export type ChatMessageHubDto = Infer<typeof ChatMessageHubDto>;

export const ChatResponseHubDto = record(
  'ChatResponseHubDto',
  'An answer from the person at a device to a viewer.',
  {
    sessionId: guid,
    desktopSessionProcessId: int32,
    message: text(MAX_TEXT_LENGTH),
    senderUsername: text(MAX_NAME_LENGTH),
    viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
    timestamp,
  },
  {
    sessionId: 'The chat, as the viewer named it.',
    desktopSessionProcessId: 'The process that showed the message.',
    message: 'The answer. An empty one ends the chat.',
    senderUsername: 'The person who answers, or who ended the chat; empty if it ended because the viewer lost the permission.',
    viewerConnectionId: 'The viewer that the answer is for, as the message named it.',
  },
);
export type ChatResponseHubDto = Infer<typeof ChatResponseHubDto>;
