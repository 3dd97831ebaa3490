import { DevicePermission } from '../device-permissions.js';
import {
  ActiveDesktopSessionsResponseDto,
  DesktopSession,
  RemoteControlSessionRequestDto,
  VncSessionRequestDto,
} from '../dtos/remote-control.js';
import { DesktopSessionType } from '../enums.js';
import { hub } from '../hub-method.js';
import { HubResult, hubResultOf } from '../hub-result.js';
import { besideDeviceId, onDevice, positional, viewerMethod, withBareAnswer } from '../viewer-method.js';
import { arrayOf, record } from '../wire/composites.js';
import { guid, int32 } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const GetActiveDesktopSessionsRequestDto = record('GetActiveDesktopSessionsRequestDto', 'Asks for the desktops of a device.', {
  deviceId: guid,
});
export type GetActiveDesktopSessionsRequestDto = Infer<typeof GetActiveDesktopSessionsRequestDto>;

export const RequestRemoteControlPermissionRequestDto = record(
  'RequestRemoteControlPermissionRequestDto',
  'A desktop that the operating system does not let the agent control yet.',
  { deviceId: guid, targetProcessId: int32 },
  { targetProcessId: 'The desktop, as `DesktopSession.processId`.' },
);
export type RequestRemoteControlPermissionRequestDto = Infer<typeof RequestRemoteControlPermissionRequestDto>;

export const TestVncConnectionRequestDto = record(
  'TestVncConnectionRequestDto',
  'A VNC server on a device.',
  { deviceId: guid, port: int32 },
  { port: 'Its TCP port on the device.' },
);
export type TestVncConnectionRequestDto = Infer<typeof TestVncConnectionRequestDto>;

export const InvokeCtrlAltDelViewerRequestDto = record(
  'InvokeCtrlAltDelViewerRequestDto',
  'A desktop to press Ctrl+Alt+Del on.',
  { deviceId: guid, targetDesktopProcessId: int32, desktopSessionType: DesktopSessionType },
  { targetDesktopProcessId: 'The desktop, as `DesktopSession.processId`.' },
);
export type InvokeCtrlAltDelViewerRequestDto = Infer<typeof InvokeCtrlAltDelViewerRequestDto>;

const current = hub({
  GetActiveDesktopSessions2: viewerMethod({
    description: 'Lists the desktops of a device that the viewer may see.',
    parameters: [GetActiveDesktopSessionsRequestDto],
    returns: hubResultOf(ActiveDesktopSessionsResponseDto),
    access: onDevice(DevicePermission.RemoteControlConnect),
    desktopSessions: { in: 'answer' },
    relaysTo: 'GetActiveDesktopSessions',
    exceptionReason: 'An error occurred.',
  }),
  RequestRemoteControlPermission2: viewerMethod({
    description: 'Asks the person at a device to let the agent see and control the desktop, if the operating system requires it.',
    parameters: [RequestRemoteControlPermissionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.RemoteControlConnect),
    desktopProcess: 'targetProcessId',
    relaysTo: 'RequestRemoteControlPermission',
    exceptionReason: 'An error occurred while requesting remote control permission.',
  }),
  RequestRemoteControlSession2: viewerMethod({
    description:
      'Starts a remote control session. Answers once the agent has accepted; viewer and agent then connect to the relay at `websocketUri`.',
    parameters: [RemoteControlSessionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.RemoteControlConnect),
    desktopSessions: { in: 'request', member: 'targetSystemSession' },
    desktopProcess: 'targetProcessId',
    relaysTo: 'CreateRemoteControlSession',
    exceptionReason: 'An error occurred while requesting the remote control session.',
  }),
  RequestVncSession2: viewerMethod({
    description:
      'Connects the viewer with a VNC server on the device. The agent connects to that server, then to the relay at `websocketUri`, where the viewer waits.',
    parameters: [VncSessionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.VncRelayConnect),
    reachesAllDesktops: true,
    relaysTo: 'CreateVncSession',
    exceptionReason: 'An error occurred while requesting the VNC session.',
  }),
  TestVncConnection2: viewerMethod({
    description: 'Checks that a VNC server listens on a port of the device.',
    parameters: [TestVncConnectionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.VncRelayConnect),
    reachesAllDesktops: true,
    relaysTo: 'TestVncConnection',
    exceptionReason: 'An error occurred while testing the VNC connection.',
  }),
  InvokeCtrlAltDel2: viewerMethod({
    description: 'Presses Ctrl+Alt+Del on a desktop.',
    parameters: [InvokeCtrlAltDelViewerRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.CtrlAltDelSend),
    desktopProcess: 'targetDesktopProcessId',
    relaysTo: 'InvokeCtrlAltDel',
    exceptionReason: 'An error occurred while invoking CtrlAltDel.',
  }),
});

/** Desktops of devices: remote control and VNC. */
export const desktopMethods = {
  ...current,
  ...hub({
    GetActiveDesktopSessions: withBareAnswer(
      positional(current.GetActiveDesktopSessions2, ['deviceId']),
      arrayOf(DesktopSession),
      ({ value }) => value?.sessions ?? [],
    ),
    RequestRemoteControlPermission: positional(current.RequestRemoteControlPermission2, ['deviceId', 'targetProcessId']),
    RequestRemoteControlSession: besideDeviceId(current.RequestRemoteControlSession2),
    RequestVncSession: besideDeviceId(current.RequestVncSession2),
    TestVncConnection: positional(current.TestVncConnection2, ['deviceId', 'port']),
    InvokeCtrlAltDel: positional(current.InvokeCtrlAltDel2, ['deviceId', 'targetDesktopProcessId', 'desktopSessionType']),
  }),
};
