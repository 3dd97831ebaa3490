import { DesktopSessionType, PowerStateChangeType } from '../enums.js';
import { arrayOf, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, int32, text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';
import { TerminalInputDto } from './terminal.js';
import { DtoWrapper } from './wrapper.js';

export const AddViewerActivityRequestDto = record('AddViewerActivityRequestDto', {
  activityName: text(MAX_NAME_LENGTH),
});
export type AddViewerActivityRequestDto = Infer<typeof AddViewerActivityRequestDto>;

export const CloseChatSessionRequestDto = record('CloseChatSessionRequestDto', {
  deviceId: guid,
  sessionId: guid,
  targetProcessId: int32,
});
export type CloseChatSessionRequestDto = Infer<typeof CloseChatSessionRequestDto>;

export const CloseTerminalSessionRequestDto = record('CloseTerminalSessionRequestDto', {
  deviceId: guid,
  terminalId: guid,
});
export type CloseTerminalSessionRequestDto = Infer<typeof CloseTerminalSessionRequestDto>;

export const CreateTerminalSessionRequestDto = record('CreateTerminalSessionRequestDto', {
  deviceId: guid,
  terminalId: guid,
});
export type CreateTerminalSessionRequestDto = Infer<typeof CreateTerminalSessionRequestDto>;

export const GetActiveDesktopSessionsRequestDto = record('GetActiveDesktopSessionsRequestDto', {
  deviceId: guid,
});
export type GetActiveDesktopSessionsRequestDto = Infer<typeof GetActiveDesktopSessionsRequestDto>;

export const GetDeviceAccessPermissionsRequestDto = record('GetDeviceAccessPermissionsRequestDto', {
  deviceId: guid,
});
export type GetDeviceAccessPermissionsRequestDto = Infer<typeof GetDeviceAccessPermissionsRequestDto>;

export const DeviceAccessPermissionsDto = record('DeviceAccessPermissionsDto', {
  canViewOverview: bool,
  canUseRemoteControl: bool,
  canUseTerminal: bool,
  canUseChat: bool,
  canReadFileSystem: bool,
  canReadLogs: bool,
  canUseVncRelay: bool,
  canInteractWithRemoteControl: bool,
  canBlockRemoteInput: bool,
  canReadClipboard: bool,
  canWriteClipboard: bool,
  canSendCtrlAltDel: bool,
});
export type DeviceAccessPermissionsDto = Infer<typeof DeviceAccessPermissionsDto>;

export const InvokeCtrlAltDelViewerRequestDto = record('InvokeCtrlAltDelViewerRequestDto', {
  deviceId: guid,
  targetDesktopProcessId: int32,
  desktopSessionType: DesktopSessionType,
});
export type InvokeCtrlAltDelViewerRequestDto = Infer<typeof InvokeCtrlAltDelViewerRequestDto>;

export const RefreshDeviceInfoRequestDto = record('RefreshDeviceInfoRequestDto', {
  deviceId: guid,
});
export type RefreshDeviceInfoRequestDto = Infer<typeof RefreshDeviceInfoRequestDto>;

export const RequestRemoteControlPermissionRequestDto = record('RequestRemoteControlPermissionRequestDto', {
  deviceId: guid,
  targetProcessId: int32,
});
export type RequestRemoteControlPermissionRequestDto = Infer<typeof RequestRemoteControlPermissionRequestDto>;

export const SendAgentUpdateTriggerRequestDto = record('SendAgentUpdateTriggerRequestDto', {
  deviceId: guid,
});
export type SendAgentUpdateTriggerRequestDto = Infer<typeof SendAgentUpdateTriggerRequestDto>;

export const SendDtoToAgentRequestDto = record('SendDtoToAgentRequestDto', {
  deviceId: guid,
  wrapper: DtoWrapper,
});
export type SendDtoToAgentRequestDto = Infer<typeof SendDtoToAgentRequestDto>;

export const SendPowerStateChangeRequestDto = record('SendPowerStateChangeRequestDto', {
  deviceId: guid,
  changeType: PowerStateChangeType,
});
export type SendPowerStateChangeRequestDto = Infer<typeof SendPowerStateChangeRequestDto>;

export const SendTerminalInputRequestDto = record('SendTerminalInputRequestDto', {
  deviceId: guid,
  input: TerminalInputDto,
});
export type SendTerminalInputRequestDto = Infer<typeof SendTerminalInputRequestDto>;

export const SendWakeDeviceRequestDto = record('SendWakeDeviceRequestDto', {
  deviceId: guid,
  macAddresses: arrayOf(text(MAX_NAME_LENGTH)),
});
export type SendWakeDeviceRequestDto = Infer<typeof SendWakeDeviceRequestDto>;

export const StartDeviceAccessActivityRequestDto = record('StartDeviceAccessActivityRequestDto', {
  deviceId: guid,
});
export type StartDeviceAccessActivityRequestDto = Infer<typeof StartDeviceAccessActivityRequestDto>;

export const SubscribeToDeviceHeartbeatsRequestDto = record('SubscribeToDeviceHeartbeatsRequestDto', {
  deviceIds: arrayOf(guid),
});
export type SubscribeToDeviceHeartbeatsRequestDto = Infer<typeof SubscribeToDeviceHeartbeatsRequestDto>;

export const TestVncConnectionRequestDto = record('TestVncConnectionRequestDto', {
  deviceId: guid,
  port: int32,
});
export type TestVncConnectionRequestDto = Infer<typeof TestVncConnectionRequestDto>;

export const UninstallAgentRequestDto = record('UninstallAgentRequestDto', {
  deviceId: guid,
  reason: text(MAX_TEXT_LENGTH),
});
export type UninstallAgentRequestDto = Infer<typeof UninstallAgentRequestDto>;

export const UnsubscribeFromDeviceHeartbeatsRequestDto = record('UnsubscribeFromDeviceHeartbeatsRequestDto', {
  deviceIds: arrayOf(guid),
});
export type UnsubscribeFromDeviceHeartbeatsRequestDto = Infer<typeof UnsubscribeFromDeviceHeartbeatsRequestDto>;
