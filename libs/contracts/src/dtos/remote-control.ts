import { DesktopSessionType } from '../enums.js';
import { arrayOf, nullable, record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from '../wire/limits.js';
import { bool, guid, int32, text, uri } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const DesktopSession = record('DesktopSession', {
  areRemoteControlPermissionsGranted: bool,
  desktopName: text(MAX_NAME_LENGTH),
  name: text(MAX_NAME_LENGTH),
  processId: int32,
  systemSessionId: int32,
  type: DesktopSessionType,
  username: text(MAX_NAME_LENGTH),
});
export type DesktopSession = Infer<typeof DesktopSession>;

export const ActiveDesktopSessionsResponseDto = record('ActiveDesktopSessionsResponseDto', {
  sessions: arrayOf(DesktopSession),
});
export type ActiveDesktopSessionsResponseDto = Infer<typeof ActiveDesktopSessionsResponseDto>;

export const RemoteControlSessionRequestDto = record('RemoteControlSessionRequestDto', {
  sessionId: guid,
  websocketUri: uri,
  targetSystemSession: int32,
  targetProcessId: int32,
  deviceId: guid,
  notifyUserOnSessionStart: bool,
  requireConsent: bool,
  viewerConnectionId: nullable(text(MAX_IDENTIFIER_LENGTH)),
  viewerName: nullable(text(MAX_NAME_LENGTH)),
});
export type RemoteControlSessionRequestDto = Infer<typeof RemoteControlSessionRequestDto>;

export const VncSessionRequestDto = record('VncSessionRequestDto', {
  sessionId: guid,
  websocketUri: uri,
  viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
  deviceId: guid,
  notifyUserOnSessionStart: bool,
  port: int32,
  viewerName: nullable(text(MAX_NAME_LENGTH)),
});
export type VncSessionRequestDto = Infer<typeof VncSessionRequestDto>;

export const DesktopPreviewRequestDto = record('DesktopPreviewRequestDto', {
  requesterId: guid,
  streamId: guid,
  targetProcessId: int32,
});
export type DesktopPreviewRequestDto = Infer<typeof DesktopPreviewRequestDto>;

export const InvokeCtrlAltDelRequestDto = record('InvokeCtrlAltDelRequestDto', {
  targetDesktopProcessId: int32,
  invokerUserName: text(MAX_NAME_LENGTH),
  desktopSessionType: DesktopSessionType,
});
export type InvokeCtrlAltDelRequestDto = Infer<typeof InvokeCtrlAltDelRequestDto>;
