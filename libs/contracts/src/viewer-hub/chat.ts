import { DevicePermission } from '../device-permissions.js';
import { ChatMessageHubDto } from '../dtos/chat.js';
import { hub } from '../hub-method.js';
import { HubResult } from '../hub-result.js';
import { besideDeviceId, onDevice, positional, viewerMethod } from '../viewer-method.js';
import { record } from '../wire/composites.js';
import { guid, int32 } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const CloseChatSessionRequestDto = record(
  'CloseChatSessionRequestDto',
  'A chat to end.',
  { deviceId: guid, sessionId: guid, targetProcessId: int32 },
  { sessionId: 'The chat, as its messages name it.', targetProcessId: 'The process that shows it.' },
);
export type CloseChatSessionRequestDto = Infer<typeof CloseChatSessionRequestDto>;

const current = hub({
  SendChatMessage2: viewerMethod({
    description: 'Shows a message to the person at a device. This connection gets the answers as `ReceiveChatResponse`.',
    parameters: [ChatMessageHubDto],
    returns: HubResult,
    ordered: { by: 'chat', id: ({ sessionId }) => sessionId },
    access: onDevice(DevicePermission.ChatSend),
    desktopSessions: { in: 'request', member: 'targetSystemSession' },
    desktopProcess: 'targetProcessId',
    relaysTo: 'SendChatMessage',
    exceptionReason: 'Agent could not be reached.',
  }),
  CloseChatSession2: viewerMethod({
    description: 'Ends a chat and closes its window on the device.',
    parameters: [CloseChatSessionRequestDto],
    returns: HubResult,
    ordered: { by: 'chat', id: ({ sessionId }) => sessionId },
    access: onDevice(DevicePermission.ChatSend),
    desktopProcess: 'targetProcessId',
    relaysTo: 'CloseChatSession',
    exceptionReason: 'Agent could not be reached.',
  }),
});

/** Chat with people at devices. */
export const chatMethods = {
  ...current,
  ...hub({
    SendChatMessage: besideDeviceId(current.SendChatMessage2),
    CloseChatSession: positional(current.CloseChatSession2, ['deviceId', 'sessionId', 'targetProcessId']),
  }),
};
