import { expect } from 'vitest';

import {
  DesktopSession,
  DesktopSessionType,
  DtoType,
  hubFailure,
  hubValue,
  PowerStateChangeType,
  Timestamp,
  type agentClient,
  type AgentMethodName,
  type Arguments,
  type DeviceAccessPermissionsDto,
  type HubResult,
  type ObsoleteForm,
  type PwshCompletionsResponseDto,
  type Result,
  type viewerHub,
} from '#libs/contracts';

import { newGuid } from '../../../src/platform/common/identifiers/guid.js';

/*
 * One valid call of every method of the viewer hub, in every form, and its effect on the device. All else that the matrix expects
 * follows from the descriptors.
 */

type Methods = typeof viewerHub;
export type ViewerMethodName = keyof Methods;
type ObsoleteName = { [K in ViewerMethodName]: Methods[K] extends ObsoleteForm ? K : never }[ViewerMethodName];
type CurrentName = Exclude<ViewerMethodName, ObsoleteName>;

/** The desktop session that the calls name, and that agents have. */
export const DESKTOP_SESSION = 4;

const TERMINAL_ID = newGuid();
/** The session of the last call that asks for one: each call needs a session of its own. */
let lastSession = newGuid();
const CHAT_ID = newGuid();
/** The address of the service that the calls are made for. */
export const PUBLIC_URL = 'https://devices.example.org';
const MACS = ['001122334455', 'AABBCCDDEEFF'];
const FILE = Buffer.from('the bytes of a file');
const INPUT = { terminalId: TERMINAL_ID, input: 'ls', viewerConnectionId: 'forged' };
const WRAPPER = { dtoType: DtoType.Ack, payload: new Uint8Array([1, 2, 3]), sendTimestamp: 5n };

const completionsRequest = (deviceId: string) => ({
  deviceId,
  terminalId: TERMINAL_ID,
  lastCompletionInput: 'Get-',
  lastCursorIndex: 4,
  viewerConnectionId: 'forged',
  forward: null,
  page: 0,
  pageSize: 50,
});

const newSession = <T>(requestOf: () => T): T => {
  lastSession = newGuid();
  return requestOf();
};
const relaySession = () => ({
  sessionId: lastSession,
  websocketUri: `wss://devices.example.org/relay?sessionId=${lastSession}&accessToken=token&role=responder`,
});

const remoteControlRequest = (deviceId: string) => ({
  ...relaySession(),
  targetSystemSession: DESKTOP_SESSION,
  targetProcessId: 17,
  deviceId,
  notifyUserOnSessionStart: false,
  requireConsent: true,
  viewerConnectionId: 'forged',
  viewerName: 'forged',
});

const vncRequest = (deviceId: string) => ({
  ...relaySession(),
  viewerConnectionId: 'forged',
  deviceId,
  notifyUserOnSessionStart: false,
  port: 5900,
  viewerName: 'forged',
});

const chatMessage = (deviceId: string) => ({
  deviceId,
  sessionId: CHAT_ID,
  message: 'Hello?',
  senderName: 'forged',
  senderEmail: 'forged',
  targetSystemSession: DESKTOP_SESSION,
  targetProcessId: 17,
  timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:05Z')),
  viewerConnectionId: 'forged',
});

const upload = (deviceId: string) => ({
  deviceId,
  targetDirectory: '/tmp',
  fileName: 'ä.txt',
  fileSize: FILE.length,
  contentType: 'text/plain',
  overwrite: true,
});

/** The items of a stream that the caller sends. */
async function* itemsOf<T>(...items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

/** Arguments of a valid call of each method for a device. Where an obsolete form names the device twice, the record names another one. */
export const VALID_CALLS: { readonly [K in ViewerMethodName]: (deviceId: string) => Arguments<Methods[K]> } = {
  CreateTerminalSession2: (deviceId) => [{ deviceId, terminalId: TERMINAL_ID }],
  CreateTerminalSession: (deviceId) => [deviceId, TERMINAL_ID],
  SendTerminalInput2: (deviceId) => [{ deviceId, input: INPUT }],
  SendTerminalInput: (deviceId) => [deviceId, INPUT],
  CloseTerminalSession2: (deviceId) => [{ deviceId, terminalId: TERMINAL_ID }],
  CloseTerminalSession: (deviceId) => [deviceId, TERMINAL_ID],
  GetPwshCompletions: (deviceId) => [completionsRequest(deviceId)],

  GetActiveDesktopSessions2: (deviceId) => [{ deviceId }],
  GetActiveDesktopSessions: (deviceId) => [deviceId],
  RequestRemoteControlPermission2: (deviceId) => [{ deviceId, targetProcessId: 17 }],
  RequestRemoteControlPermission: (deviceId) => [deviceId, 17],
  RequestRemoteControlSession2: (deviceId) => [newSession(() => remoteControlRequest(deviceId))],
  RequestRemoteControlSession: (deviceId) => [deviceId, newSession(() => remoteControlRequest(newGuid()))],
  RequestVncSession2: (deviceId) => [newSession(() => vncRequest(deviceId))],
  RequestVncSession: (deviceId) => [deviceId, newSession(() => vncRequest(newGuid()))],
  TestVncConnection2: (deviceId) => [{ deviceId, port: 5900 }],
  TestVncConnection: (deviceId) => [deviceId, 5900],
  InvokeCtrlAltDel2: (deviceId) => [{ deviceId, targetDesktopProcessId: 17, desktopSessionType: DesktopSessionType.Rdp }],
  InvokeCtrlAltDel: (deviceId) => [deviceId, 17, DesktopSessionType.Rdp],

  UploadFile: (deviceId) => [upload(deviceId), itemsOf(FILE.subarray(0, 5), FILE.subarray(5))],

  SendChatMessage2: (deviceId) => [chatMessage(deviceId)],
  SendChatMessage: (deviceId) => [deviceId, chatMessage(newGuid())],
  CloseChatSession2: (deviceId) => [{ deviceId, sessionId: CHAT_ID, targetProcessId: 17 }],
  CloseChatSession: (deviceId) => [deviceId, CHAT_ID, 17],

  GetDeviceAccessPermissions2: (deviceId) => [{ deviceId }],
  GetDeviceAccessPermissions: (deviceId) => [deviceId],
  RefreshDeviceInfo2: (deviceId) => [{ deviceId }],
  RefreshDeviceInfo: (deviceId) => [deviceId],
  SendAgentUpdateTrigger2: (deviceId) => [{ deviceId }],
  SendAgentUpdateTrigger: (deviceId) => [deviceId],
  UninstallAgent2: (deviceId) => [{ deviceId, reason: 'Retired.' }],
  UninstallAgent: (deviceId) => [deviceId, 'Retired.'],
  SendPowerStateChange2: (deviceId) => [{ deviceId, changeType: PowerStateChangeType.Restart }],
  SendPowerStateChange: (deviceId) => [deviceId, PowerStateChangeType.Restart],
  SendWakeDevice2: (deviceId) => [{ deviceId, macAddresses: MACS }],
  SendWakeDevice: (deviceId) => [deviceId, MACS],
  SendDtoToAgent: (deviceId) => [{ deviceId, wrapper: WRAPPER }],

  SubscribeToDeviceHeartbeats2: (deviceId) => [{ deviceIds: [deviceId] }],
  SubscribeToDeviceHeartbeats: (deviceId) => [[deviceId]],
  UnsubscribeFromDeviceHeartbeats2: (deviceId) => [{ deviceIds: [deviceId] }],
  UnsubscribeFromDeviceHeartbeats: (deviceId) => [[deviceId]],

  StartDeviceAccessActivity2: (deviceId) => [{ deviceId }],
  StartDeviceAccessActivity: (deviceId) => [deviceId],
  AddViewerActivity2: () => [{ activityName: 'send_clipboard_text' }],
  AddViewerActivity: () => ['send_clipboard_text'],
  DisposeDeviceAccessActivity: () => [],
};

/** Origin of a call, as the server knows it. */
export interface CallFacts {
  readonly deviceId: string;
  readonly connectionId: string;
  /** The name of the calling account. */
  readonly name: string;
}

type AgentResult<A extends AgentMethodName> = Result<(typeof agentClient)[A]>;

/** Arguments that a device's agent receives with a call, and its answer unless that is nothing or a success without a value. */
type Relayed<A extends AgentMethodName> = {
  readonly receives: (facts: CallFacts) => Arguments<(typeof agentClient)[A]>;
} & ([AgentResult<A>] extends [void] ? unknown : HubResult extends AgentResult<A> ? unknown : { readonly answers: AgentResult<A> });

interface Answered {
  /** The answer to an allowed call; without it, a success without a value. */
  readonly succeeds?: HubResult;
  /** The answer for an offline device, and for one whose key is not approved, where it does not follow from the descriptor. */
  readonly offline?: HubResult;
  readonly pending?: HubResult;
  /** The bytes that the agent fetches before it answers. */
  readonly fetches?: Buffer;
}

type Effect<M> = Answered & (M extends { readonly relaysTo: infer A extends AgentMethodName } ? Relayed<A> : unknown);

/** An id that the server chooses. */
const SOME_ID: string = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const SESSION = DesktopSession.decode(
  { systemSessionId: DESKTOP_SESSION, name: 'Console', desktopName: 'Default', username: 'operator', processId: 17 },
  'json',
);

const COMPLETIONS: PwshCompletionsResponseDto = {
  replacementIndex: 1,
  replacementLength: 2,
  completionMatches: [],
  hasMorePages: false,
  totalCount: 0,
  currentPage: 0,
};

/** The rights of a caller that has `device.read` and nothing else: none of those that are asked for. */
const NO_RIGHTS: DeviceAccessPermissionsDto = {
  canViewOverview: false,
  canUseRemoteControl: false,
  canUseTerminal: false,
  canUseChat: false,
  canReadFileSystem: false,
  canReadLogs: false,
  canUseVncRelay: false,
  canInteractWithRemoteControl: false,
  canBlockRemoteInput: false,
  canReadClipboard: false,
  canWriteClipboard: false,
  canSendCtrlAltDel: false,
};

/** Effects of the valid call of each method, in all its forms. */
export const EFFECTS: { readonly [K in CurrentName]: Effect<Methods[K]> } = {
  CreateTerminalSession2: { receives: ({ connectionId }) => [TERMINAL_ID, connectionId] },
  SendTerminalInput2: { receives: ({ connectionId }) => [{ ...INPUT, viewerConnectionId: connectionId }] },
  CloseTerminalSession2: { receives: () => [TERMINAL_ID] },
  GetPwshCompletions: {
    receives: ({ deviceId, connectionId }) => [{ ...completionsRequest(deviceId), viewerConnectionId: connectionId }],
    answers: hubValue(COMPLETIONS),
    succeeds: hubValue(COMPLETIONS),
  },

  GetActiveDesktopSessions2: { receives: () => [], answers: [SESSION], succeeds: hubValue({ sessions: [SESSION] }) },
  RequestRemoteControlPermission2: { receives: () => [17] },
  RequestRemoteControlSession2: {
    receives: ({ deviceId, connectionId, name }) => [
      { ...remoteControlRequest(deviceId), notifyUserOnSessionStart: true, viewerConnectionId: connectionId, viewerName: name },
    ],
  },
  RequestVncSession2: {
    receives: ({ deviceId, connectionId, name }) => [
      { ...vncRequest(deviceId), notifyUserOnSessionStart: true, viewerConnectionId: connectionId, viewerName: name },
    ],
  },
  TestVncConnection2: { receives: () => [5900] },
  InvokeCtrlAltDel2: {
    receives: ({ name }) => [{ targetDesktopProcessId: 17, desktopSessionType: DesktopSessionType.Rdp, invokerUserName: name }],
  },

  UploadFile: {
    receives: () => [{ streamId: SOME_ID, targetDirectoryPath: '/tmp', fileName: 'ä.txt', fileSize: FILE.length, overwrite: true }],
    fetches: FILE,
    offline: hubFailure('Device is not currently connected.'),
  },

  SendChatMessage2: {
    receives: ({ deviceId, connectionId, name }) => [
      { ...chatMessage(deviceId), senderName: name, senderEmail: '', viewerConnectionId: connectionId },
    ],
  },
  CloseChatSession2: { receives: () => [CHAT_ID, 17] },

  GetDeviceAccessPermissions2: { succeeds: hubValue(NO_RIGHTS) },
  RefreshDeviceInfo2: { receives: () => [] },
  SendAgentUpdateTrigger2: { receives: () => [] },
  UninstallAgent2: { receives: () => ['Retired.'] },
  SendPowerStateChange2: { receives: () => [PowerStateChangeType.Restart] },
  SendWakeDevice2: {
    receives: () => [{ macAddresses: MACS }],
    succeeds: hubValue('Asked 1 device to wake it.'),
    offline: hubValue('The device has no known public IP address, so no device near it can be found.'),
    // A sleeping device is not reached itself, so that the state of its key does not matter.
    pending: hubValue('Asked 2 devices to wake it.'),
  },
  SendDtoToAgent: { receives: () => [WRAPPER] },

  SubscribeToDeviceHeartbeats2: {},
  UnsubscribeFromDeviceHeartbeats2: {},

  StartDeviceAccessActivity2: {},
  AddViewerActivity2: {},
  DisposeDeviceAccessActivity: {},
};
