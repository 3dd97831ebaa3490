import { record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { guid, int32, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const ChatMessageHubDto = record('ChatMessageHubDto', {
  deviceId: guid,
  sessionId: guid,
  message: text(MAX_TEXT_LENGTH),
  senderName: text(MAX_NAME_LENGTH),
  senderEmail: text(MAX_NAME_LENGTH),
  targetSystemSession: int32,
  targetProcessId: int32,
  timestamp,
  viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
});
export type ChatMessageHubDto = Infer<typeof ChatMessageHubDto>;

export const ChatResponseHubDto = record('ChatResponseHubDto', {
  sessionId: guid,
  desktopSessionProcessId: int32,
  message: text(MAX_TEXT_LENGTH),
  senderUsername: text(MAX_NAME_LENGTH),
  viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
  timestamp,
});
export type ChatResponseHubDto = Infer<typeof ChatResponseHubDto>;
