import { messages, type MessageName } from '#libs/desktop-stream';

import { Permission, type PermissionDefinition } from '../../../access/authorization/permissions/permission.js';

/** A message that needs no right beyond that to the session. */
export const FREE = 'free';

/** The permission that a viewer needs to send a message. */
export type MessageRight = PermissionDefinition | typeof FREE;

const INTERACT = Permission.DeviceRemoteControlInteract;
const BLOCK_INPUT = Permission.DeviceRemoteControlBlockInput;

/** The messages that a viewer may send, with what each needs. All others are dropped. */
const viewerMessageRights = {
  ChangeDisplays: FREE,
  CloseRemoteControlSession: FREE,
  Ack: FREE,
  RequestKeyFrame: FREE,
  UpdateCaptureSettings: FREE,
  MovePointer: INTERACT,
  MouseButtonEvent: INTERACT,
  KeyEvent: INTERACT,
  TypeText: INTERACT,
  ResetKeyboardState: INTERACT,
  WheelScroll: INTERACT,
  MouseClick: INTERACT,
  ClipboardText: Permission.DeviceClipboardWrite,
  RequestClipboardText: Permission.DeviceClipboardRead,
  ToggleBlockInput: BLOCK_INPUT,
  TogglePrivacyScreen: BLOCK_INPUT,
} as const satisfies { readonly [N in MessageName]?: MessageRight };

/** The permissions that a viewer needs to receive messages of the agent. Other messages need none. */
export const agentMessageRights = { ClipboardText: Permission.DeviceClipboardRead } as const satisfies {
  readonly [N in MessageName]?: PermissionDefinition;
};

/** The permissions that a session is asked for while it lasts, beside the one that it began with. */
export const sessionPermissions: readonly PermissionDefinition[] = [
  ...new Set([...Object.values(viewerMessageRights), ...Object.values(agentMessageRights)].filter((right) => right !== FREE)),
];

const BY_TYPE = byType(viewerMessageRights);

/** The permission that a viewer needs to send a message of the type; undefined if it may never send it. */
export function rightToSend(type: number): MessageRight | undefined {
  return BY_TYPE[type];
}

/** The rights by the number of the message, as a list: it is read for every message. */
function byType(rights: { readonly [N in MessageName]?: MessageRight }): readonly (MessageRight | undefined)[] {
  const list = Array.from<MessageRight | undefined>({ length: 128 });
  for (const [name, { type }] of Object.entries(messages)) if (name in rights) list[type] = rights[name as MessageName];
  return list;
}
