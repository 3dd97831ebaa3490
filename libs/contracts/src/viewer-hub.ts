import type { agentClient } from './agent-client.js';
import { ChatMessageHubDto } from './dtos/chat.js';
import { FileUploadMetadata } from './dtos/files.js';
import {
  ActiveDesktopSessionsResponseDto,
  DesktopSession,
  RemoteControlSessionRequestDto,
  VncSessionRequestDto,
} from './dtos/remote-control.js';
import { PwshCompletionsRequestDto, PwshCompletionsResponseDto, TerminalInputDto } from './dtos/terminal.js';
import {
  AddViewerActivityRequestDto,
  CloseChatSessionRequestDto,
  CloseTerminalSessionRequestDto,
  CreateTerminalSessionRequestDto,
  DeviceAccessPermissionsDto,
  GetActiveDesktopSessionsRequestDto,
  GetDeviceAccessPermissionsRequestDto,
  InvokeCtrlAltDelViewerRequestDto,
  RefreshDeviceInfoRequestDto,
  RequestRemoteControlPermissionRequestDto,
  SendAgentUpdateTriggerRequestDto,
  SendDtoToAgentRequestDto,
  SendPowerStateChangeRequestDto,
  SendTerminalInputRequestDto,
  SendWakeDeviceRequestDto,
  StartDeviceAccessActivityRequestDto,
  SubscribeToDeviceHeartbeatsRequestDto,
  TestVncConnectionRequestDto,
  UninstallAgentRequestDto,
  UnsubscribeFromDeviceHeartbeatsRequestDto,
} from './dtos/viewer-requests.js';
import { DesktopSessionType, PowerStateChangeType } from './enums.js';
import { hub, type HubMethod } from './hub-method.js';
import { HubResult, hubResultOf } from './hub-result.js';
import { arrayOf } from './wire/composites.js';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from './wire/limits.js';
import { binary, guid, int32, text } from './wire/primitives.js';

/** How a caller without the permission is answered. Null where no permission is asked for. */
export type Refusal = 'with a failure' | 'silently' | 'with an empty list' | 'by skipping the device' | null;

/** The reason of every refused check (specification, part Viewer hub). */
export const REFUSED_REASON = 'Forbidden.';

export interface ViewerMethodRules {
  /** The device permission that the caller needs; null for none. */
  readonly permission: string | null;
  readonly refused: Refusal;
  /** The method of the agent that the call is passed on to. */
  readonly relaysTo?: keyof typeof agentClient;
  /** The reason in the failure when the agent cannot be reached or another fault happens. */
  readonly exceptionReason?: string;
  /** The reason in the failure when the device does not exist, where it differs from a refusal. */
  readonly unknownDeviceReason?: string;
  /** The reason in the failure when the argument stands for nothing to do; checked before the permission. */
  readonly invalidReason?: string;
  /** Principals with a logon token see and reach only the desktop sessions that the token lists. */
  readonly filtersDesktopSessions?: boolean;
}

/** A method of the viewer hub with its rules. */
export interface ViewerMethod extends HubMethod, ViewerMethodRules {
  /** True for the positional forms that the forms with one DTO have replaced. */
  readonly obsolete?: boolean;
}

/** Rules that the two forms of a method share. */
const rules = {
  AddViewerActivity: { permission: null, refused: null },
  CloseChatSession: {
    permission: 'device.chat.send',
    refused: 'with a failure',
    relaysTo: 'CloseChatSession',
    exceptionReason: 'Agent could not be reached.',
  },
  CloseTerminalSession: {
    permission: 'device.terminal.use',
    refused: 'with a failure',
    relaysTo: 'CloseTerminalSession',
    exceptionReason: 'An error occurred.',
  },
  CreateTerminalSession: {
    permission: 'device.terminal.use',
    refused: 'with a failure',
    relaysTo: 'CreateTerminalSession',
    exceptionReason: 'An error occurred.',
  },
  DisposeDeviceAccessActivity: { permission: null, refused: null },
  GetActiveDesktopSessions: {
    permission: 'device.remote-control.connect',
    refused: 'with a failure',
    relaysTo: 'GetActiveDesktopSessions',
    filtersDesktopSessions: true,
    exceptionReason: 'An error occurred.',
  },
  GetDeviceAccessPermissions: {
    permission: 'device.read',
    refused: 'with a failure',
    exceptionReason: 'An error occurred while resolving device permissions.',
    unknownDeviceReason: 'Device not found.',
  },
  GetPwshCompletions: {
    permission: 'device.terminal.use',
    refused: 'with a failure',
    relaysTo: 'GetPwshCompletions',
    exceptionReason: 'An error occurred.',
  },
  InvokeCtrlAltDel: {
    permission: 'device.ctrl-alt-del.send',
    refused: 'with a failure',
    relaysTo: 'InvokeCtrlAltDel',
    exceptionReason: 'An error occurred while invoking CtrlAltDel.',
  },
  RefreshDeviceInfo: {
    permission: 'device.read',
    refused: 'with a failure',
    relaysTo: 'RefreshDeviceInfo',
    exceptionReason: 'An error occurred while refreshing device info.',
  },
  RequestRemoteControlPermission: {
    permission: 'device.remote-control.connect',
    refused: 'with a failure',
    relaysTo: 'RequestRemoteControlPermission',
    exceptionReason: 'An error occurred while requesting remote control permission.',
  },
  RequestRemoteControlSession: {
    permission: 'device.remote-control.connect',
    refused: 'with a failure',
    relaysTo: 'CreateRemoteControlSession',
    exceptionReason: 'An error occurred while requesting the remote control session.',
    filtersDesktopSessions: true,
  },
  RequestVncSession: {
    permission: 'device.vnc-relay.connect',
    refused: 'with a failure',
    relaysTo: 'CreateVncSession',
    exceptionReason: 'An error occurred while requesting the VNC session.',
  },
  SendAgentUpdateTrigger: {
    permission: 'device.agent.update',
    refused: 'with a failure',
    relaysTo: 'ReceiveAgentUpdateTrigger',
    exceptionReason: 'An error occurred while sending the agent update trigger.',
  },
  SendChatMessage: {
    permission: 'device.chat.send',
    refused: 'with a failure',
    relaysTo: 'SendChatMessage',
    exceptionReason: 'Agent could not be reached.',
    filtersDesktopSessions: true,
  },
  SendDtoToAgent: {
    permission: 'device.read',
    refused: 'with a failure',
    relaysTo: 'ReceiveDto',
    exceptionReason: 'An error occurred while sending the DTO to the agent.',
  },
  SendPowerStateChange: {
    permission: 'device.power.manage',
    refused: 'with a failure',
    relaysTo: 'ReceivePowerStateChange',
    invalidReason: 'Invalid power state change type.',
    exceptionReason: 'An error occurred while sending the power state change.',
  },
  SendTerminalInput: {
    permission: 'device.terminal.use',
    refused: 'with a failure',
    relaysTo: 'ReceiveTerminalInput',
    exceptionReason: 'Agent could not be reached.',
  },
  SendWakeDevice: {
    permission: 'device.wake.send',
    refused: 'with a failure',
    relaysTo: 'InvokeWakeDevice',
    exceptionReason: 'An error occurred while sending the wake command.',
  },
  StartDeviceAccessActivity: { permission: 'device.read', refused: 'with a failure' },
  SubscribeToDeviceHeartbeats: { permission: 'device.read', refused: 'by skipping the device' },
  TestVncConnection: {
    permission: 'device.vnc-relay.connect',
    refused: 'with a failure',
    relaysTo: 'TestVncConnection',
    exceptionReason: 'An error occurred while testing the VNC connection.',
  },
  UninstallAgent: {
    permission: 'device.delete',
    refused: 'with a failure',
    relaysTo: 'UninstallAgent',
    exceptionReason: 'An error occurred while uninstalling the agent.',
  },
  UnsubscribeFromDeviceHeartbeats: { permission: null, refused: null },
  UploadFile: {
    permission: 'device.file-system.transfer-upload',
    refused: 'with a failure',
    relaysTo: 'DownloadFileFromViewer',
    exceptionReason: 'An error occurred during file upload.',
  },
} satisfies Record<string, ViewerMethodRules>;

/**
 * What a viewer may call on the server, at /hubs/viewer (specification, part Viewer hub): obsolete positional forms and
 * current forms with one DTO. UploadFile needs the permission of the HTTP upload.
 */
export const viewerHub = hub({
  AddViewerActivity: { parameters: [text(MAX_NAME_LENGTH)], returns: HubResult, obsolete: true, ...rules.AddViewerActivity },
  AddViewerActivity2: { parameters: [AddViewerActivityRequestDto], returns: HubResult, ...rules.AddViewerActivity },
  CloseChatSession: { parameters: [guid, guid, int32], returns: HubResult, obsolete: true, ...rules.CloseChatSession },
  CloseChatSession2: { parameters: [CloseChatSessionRequestDto], returns: HubResult, ...rules.CloseChatSession },
  CloseTerminalSession: { parameters: [guid, guid], obsolete: true, ...rules.CloseTerminalSession, refused: 'silently' },
  CloseTerminalSession2: { parameters: [CloseTerminalSessionRequestDto], returns: HubResult, ...rules.CloseTerminalSession },
  CreateTerminalSession: { parameters: [guid, guid], returns: HubResult, obsolete: true, ...rules.CreateTerminalSession },
  CreateTerminalSession2: { parameters: [CreateTerminalSessionRequestDto], returns: HubResult, ...rules.CreateTerminalSession },
  DisposeDeviceAccessActivity: { parameters: [], returns: HubResult, ...rules.DisposeDeviceAccessActivity },
  GetActiveDesktopSessions: {
    parameters: [guid],
    returns: arrayOf(DesktopSession),
    obsolete: true,
    ...rules.GetActiveDesktopSessions,
    refused: 'with an empty list',
  },
  GetActiveDesktopSessions2: {
    parameters: [GetActiveDesktopSessionsRequestDto],
    returns: hubResultOf(ActiveDesktopSessionsResponseDto),
    ...rules.GetActiveDesktopSessions,
  },
  GetDeviceAccessPermissions: {
    parameters: [guid],
    returns: hubResultOf(DeviceAccessPermissionsDto),
    obsolete: true,
    ...rules.GetDeviceAccessPermissions,
  },
  GetDeviceAccessPermissions2: {
    parameters: [GetDeviceAccessPermissionsRequestDto],
    returns: hubResultOf(DeviceAccessPermissionsDto),
    ...rules.GetDeviceAccessPermissions,
  },
  GetPwshCompletions: {
    parameters: [PwshCompletionsRequestDto],
    returns: hubResultOf(PwshCompletionsResponseDto),
    ...rules.GetPwshCompletions,
  },
  InvokeCtrlAltDel: { parameters: [guid, int32, DesktopSessionType], returns: HubResult, obsolete: true, ...rules.InvokeCtrlAltDel },
  InvokeCtrlAltDel2: { parameters: [InvokeCtrlAltDelViewerRequestDto], returns: HubResult, ...rules.InvokeCtrlAltDel },
  RefreshDeviceInfo: { parameters: [guid], obsolete: true, ...rules.RefreshDeviceInfo, refused: 'silently' },
  RefreshDeviceInfo2: { parameters: [RefreshDeviceInfoRequestDto], returns: HubResult, ...rules.RefreshDeviceInfo },
  RequestRemoteControlPermission: {
    parameters: [guid, int32],
    returns: HubResult,
    obsolete: true,
    ...rules.RequestRemoteControlPermission,
  },
  RequestRemoteControlPermission2: {
    parameters: [RequestRemoteControlPermissionRequestDto],
    returns: HubResult,
    ...rules.RequestRemoteControlPermission,
  },
  RequestRemoteControlSession: {
    parameters: [guid, RemoteControlSessionRequestDto],
    returns: HubResult,
    obsolete: true,
    ...rules.RequestRemoteControlSession,
  },
  RequestRemoteControlSession2: { parameters: [RemoteControlSessionRequestDto], returns: HubResult, ...rules.RequestRemoteControlSession },
  RequestVncSession: { parameters: [guid, VncSessionRequestDto], returns: HubResult, obsolete: true, ...rules.RequestVncSession },
  RequestVncSession2: { parameters: [VncSessionRequestDto], returns: HubResult, ...rules.RequestVncSession },
  SendAgentUpdateTrigger: { parameters: [guid], obsolete: true, ...rules.SendAgentUpdateTrigger, refused: 'silently' },
  SendAgentUpdateTrigger2: { parameters: [SendAgentUpdateTriggerRequestDto], returns: HubResult, ...rules.SendAgentUpdateTrigger },
  SendChatMessage: { parameters: [guid, ChatMessageHubDto], returns: HubResult, obsolete: true, ...rules.SendChatMessage },
  SendChatMessage2: { parameters: [ChatMessageHubDto], returns: HubResult, ...rules.SendChatMessage },
  SendDtoToAgent: { parameters: [SendDtoToAgentRequestDto], returns: HubResult, ...rules.SendDtoToAgent },
  SendPowerStateChange: { parameters: [guid, PowerStateChangeType], obsolete: true, ...rules.SendPowerStateChange, refused: 'silently' },
  SendPowerStateChange2: { parameters: [SendPowerStateChangeRequestDto], returns: HubResult, ...rules.SendPowerStateChange },
  SendTerminalInput: { parameters: [guid, TerminalInputDto], returns: HubResult, obsolete: true, ...rules.SendTerminalInput },
  SendTerminalInput2: { parameters: [SendTerminalInputRequestDto], returns: HubResult, ...rules.SendTerminalInput },
  SendWakeDevice: {
    parameters: [guid, arrayOf(text(MAX_TEXT_LENGTH))],
    returns: hubResultOf(text(MAX_TEXT_LENGTH)),
    obsolete: true,
    ...rules.SendWakeDevice,
  },
  SendWakeDevice2: { parameters: [SendWakeDeviceRequestDto], returns: hubResultOf(text(MAX_TEXT_LENGTH)), ...rules.SendWakeDevice },
  StartDeviceAccessActivity: { parameters: [guid], returns: HubResult, obsolete: true, ...rules.StartDeviceAccessActivity },
  StartDeviceAccessActivity2: { parameters: [StartDeviceAccessActivityRequestDto], returns: HubResult, ...rules.StartDeviceAccessActivity },
  SubscribeToDeviceHeartbeats: { parameters: [arrayOf(guid)], returns: HubResult, obsolete: true, ...rules.SubscribeToDeviceHeartbeats },
  SubscribeToDeviceHeartbeats2: {
    parameters: [SubscribeToDeviceHeartbeatsRequestDto],
    returns: HubResult,
    ...rules.SubscribeToDeviceHeartbeats,
  },
  TestVncConnection: { parameters: [guid, int32], returns: HubResult, obsolete: true, ...rules.TestVncConnection },
  TestVncConnection2: { parameters: [TestVncConnectionRequestDto], returns: HubResult, ...rules.TestVncConnection },
  UninstallAgent: { parameters: [guid, text(MAX_TEXT_LENGTH)], obsolete: true, ...rules.UninstallAgent, refused: 'silently' },
  UninstallAgent2: { parameters: [UninstallAgentRequestDto], returns: HubResult, ...rules.UninstallAgent },
  UnsubscribeFromDeviceHeartbeats: { parameters: [arrayOf(guid)], obsolete: true, ...rules.UnsubscribeFromDeviceHeartbeats },
  UnsubscribeFromDeviceHeartbeats2: {
    parameters: [UnsubscribeFromDeviceHeartbeatsRequestDto],
    returns: HubResult,
    ...rules.UnsubscribeFromDeviceHeartbeats,
  },
  UploadFile: { parameters: [FileUploadMetadata, { stream: binary() }], returns: HubResult, ...rules.UploadFile },
} satisfies Record<string, Omit<ViewerMethod, 'name'>>);
