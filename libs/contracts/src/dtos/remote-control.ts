import { DesktopSessionType } from '../enums.js';
import { arrayOf, nullable, record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from '../wire/limits.js';
import { bool, guid, int32, text, uri } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const DesktopSession = record(
  'DesktopSession',
  'A desktop of a device that can be controlled.',
  {
    areRemoteControlPermissionsGranted: bool,
    desktopName: text(MAX_NAME_LENGTH),
    name: text(MAX_NAME_LENGTH),
    processId: int32,
    systemSessionId: int32,
    type: DesktopSessionType,
    username: text(MAX_NAME_LENGTH),
  },
  {
    areRemoteControlPermissionsGranted: 'True if the agent can control the desktop. Previews need no control.',
    processId: "The agent's process in the session.",
    systemSessionId: 'The number of the session in the operating system. Logon tokens list these numbers.',
    username: 'The user who is signed in there.',
  },
);
export type DesktopSession = Infer<typeof DesktopSession>;

export const ActiveDesktopSessionsResponseDto = record(
  'ActiveDesktopSessionsResponseDto',
  'The desktops of a device that the viewer may see.',
  {
    sessions: arrayOf(DesktopSession),
  },
);
export type ActiveDesktopSessionsResponseDto = Infer<typeof ActiveDesktopSessionsResponseDto>;

export const RemoteControlSessionRequestDto = record(
  'RemoteControlSessionRequestDto',
  'A remote control session to start. The viewer chooses the session id and waits at the relay.',
  {
    sessionId: guid,
    websocketUri: uri,
    targetSystemSession: int32,
    targetProcessId: int32,
    deviceId: guid,
    notifyUserOnSessionStart: bool,
    requireConsent: bool,
    viewerConnectionId: nullable(text(MAX_IDENTIFIER_LENGTH)),
    viewerName: nullable(text(MAX_NAME_LENGTH)),
  },
  {
    websocketUri:
      'The address of the relay for the agent, with its access token. The server passes it on unchanged, and refuses an address that is not this session at its own relay.',
    targetSystemSession: 'The desktop session, as `DesktopSession.systemSessionId`.',
    targetProcessId: 'Its process, as `DesktopSession.processId`.',
    deviceId: 'The device to control.',
    notifyUserOnSessionStart: 'Set by the server, from the settings of the tenant and the user.',
    requireConsent: 'True to ask the person at the device first.',
    viewerConnectionId: 'Set by the server.',
    viewerName: 'Set by the server.',
  },
);
export type RemoteControlSessionRequestDto = Infer<typeof RemoteControlSessionRequestDto>;

export const VncSessionRequestDto = record(
  'VncSessionRequestDto',
  'A session with a VNC server on the device. The viewer chooses the session id and waits at the relay.',
  {
    sessionId: guid,
    websocketUri: uri,
    viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
    deviceId: guid,
    notifyUserOnSessionStart: bool,
    port: int32,
    viewerName: nullable(text(MAX_NAME_LENGTH)),
  },
  {
    websocketUri:
      'The address of the relay for the agent, with its access token. The server passes it on unchanged, and refuses an address that is not this session at its own relay.',
    deviceId: 'The device to reach.',
    viewerConnectionId: 'Set by the server.',
    viewerName: 'Set by the server.',
    notifyUserOnSessionStart: 'Set by the server, from the settings of the tenant and the user.',
    port: "The VNC server's port on the device.",
  },
);
export type VncSessionRequestDto = Infer<typeof VncSessionRequestDto>;

export const DesktopPreviewRequestDto = record(
  'DesktopPreviewRequestDto',
  'Asks an agent for a still picture of a desktop.',
  {
    requesterId: guid,
    streamId: guid,
    targetProcessId: int32,
  },
  {
    requesterId: 'Who asks.',
    streamId: 'The id with which the agent opens its stream.',
    targetProcessId: 'The desktop, as `DesktopSession.processId`.',
  },
);
export type DesktopPreviewRequestDto = Infer<typeof DesktopPreviewRequestDto>;

export const InvokeCtrlAltDelRequestDto = record(
  'InvokeCtrlAltDelRequestDto',
  'Asks an agent to press Ctrl+Alt+Del.',
  {
    targetDesktopProcessId: int32,
    invokerUserName: text(MAX_NAME_LENGTH),
    desktopSessionType: DesktopSessionType,
  },
  {
    invokerUserName: 'The name of the viewer, for the log of the device.',
  },
);
export type InvokeCtrlAltDelRequestDto = Infer<typeof InvokeCtrlAltDelRequestDto>;
