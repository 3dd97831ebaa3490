import { DevicePermission } from '../device-permissions.js';
import { DtoWrapper } from '../dtos/wrapper.js';
import { PowerStateChangeType } from '../enums.js';
import { hub } from '../hub-method.js';
import { HubResult, hubResultOf } from '../hub-result.js';
import { onDevice, positional, viewerMethod, withoutAnswer } from '../viewer-method.js';
import { arrayOf, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const GetDeviceAccessPermissionsRequestDto = record(
  'GetDeviceAccessPermissionsRequestDto',
  'A device whose permissions the viewer asks for.',
  { deviceId: guid },
);
export type GetDeviceAccessPermissionsRequestDto = Infer<typeof GetDeviceAccessPermissionsRequestDto>;

export const DeviceAccessPermissionsDto = record(
  'DeviceAccessPermissionsDto',
  'The permissions of the viewer on a device. Each member stands for one.',
  {
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
  },
);
export type DeviceAccessPermissionsDto = Infer<typeof DeviceAccessPermissionsDto>;

export const RefreshDeviceInfoRequestDto = record('RefreshDeviceInfoRequestDto', 'A device that is to report again.', { deviceId: guid });
export type RefreshDeviceInfoRequestDto = Infer<typeof RefreshDeviceInfoRequestDto>;

export const SendAgentUpdateTriggerRequestDto = record(
  'SendAgentUpdateTriggerRequestDto',
  'A device whose agent is to look for an update.',
  { deviceId: guid },
);
export type SendAgentUpdateTriggerRequestDto = Infer<typeof SendAgentUpdateTriggerRequestDto>;

export const UninstallAgentRequestDto = record(
  'UninstallAgentRequestDto',
  'A device whose agent is to uninstall itself.',
  { deviceId: guid, reason: text(MAX_TEXT_LENGTH) },
  { reason: 'For the log of the agent.' },
);
export type UninstallAgentRequestDto = Infer<typeof UninstallAgentRequestDto>;

export const SendPowerStateChangeRequestDto = record('SendPowerStateChangeRequestDto', 'A device to restart or shut down.', {
  deviceId: guid,
  changeType: PowerStateChangeType,
});
export type SendPowerStateChangeRequestDto = Infer<typeof SendPowerStateChangeRequestDto>;

export const SendWakeDeviceRequestDto = record(
  'SendWakeDeviceRequestDto',
  'A device to wake.',
  { deviceId: guid, macAddresses: arrayOf(text(MAX_NAME_LENGTH)) },
  { macAddresses: 'The MAC addresses of its network cards, 12 hexadecimal digits each.' },
);
export type SendWakeDeviceRequestDto = Infer<typeof SendWakeDeviceRequestDto>;

export const SendDtoToAgentRequestDto = record(
  'SendDtoToAgentRequestDto',
  'A message that the server passes to an agent without reading it.',
  {
    deviceId: guid,
    wrapper: DtoWrapper,
  },
);
export type SendDtoToAgentRequestDto = Infer<typeof SendDtoToAgentRequestDto>;

const current = hub({
  GetDeviceAccessPermissions2: viewerMethod({
    description: 'Returns the permissions of the viewer on a device, which may be offline.',
    parameters: [GetDeviceAccessPermissionsRequestDto],
    returns: hubResultOf(DeviceAccessPermissionsDto),
    access: onDevice(DevicePermission.Read),
    unknownDeviceReason: 'Device not found.',
    exceptionReason: 'An error occurred while resolving device permissions.',
  }),
  RefreshDeviceInfo2: viewerMethod({
    description: 'Makes a device report its state now. Subscribed viewers get the report as `ReceiveDeviceUpdate`.',
    parameters: [RefreshDeviceInfoRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.Read),
    relaysTo: 'RefreshDeviceInfo',
    exceptionReason: 'An error occurred while refreshing device info.',
  }),
  SendAgentUpdateTrigger2: viewerMethod({
    description: 'Makes an agent look for an update of itself now.',
    parameters: [SendAgentUpdateTriggerRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.AgentUpdate),
    relaysTo: 'ReceiveAgentUpdateTrigger',
    exceptionReason: 'An error occurred while sending the agent update trigger.',
  }),
  UninstallAgent2: viewerMethod({
    description: 'Makes an agent uninstall itself. The device stays on the server.',
    parameters: [UninstallAgentRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.Delete),
    relaysTo: 'UninstallAgent',
    exceptionReason: 'An error occurred while uninstalling the agent.',
  }),
  SendPowerStateChange2: viewerMethod({
    description: 'Restarts or shuts down a device. Answers once the command is sent.',
    parameters: [SendPowerStateChangeRequestDto],
    returns: HubResult,
    invalid: { reason: 'Invalid power state change type.', when: ({ changeType }) => changeType === PowerStateChangeType.None },
    access: onDevice(DevicePermission.PowerManage),
    relaysTo: 'ReceivePowerStateChange',
    exceptionReason: 'An error occurred while sending the power state change.',
  }),
  SendWakeDevice2: viewerMethod({
    description:
      'Wakes a device over its network: the agents of online devices of the same tenant and customer that share its public IPv4 address send a magic packet. ' +
      'Succeeds with a sentence that gives the number of these agents.',
    parameters: [SendWakeDeviceRequestDto],
    returns: hubResultOf(text(MAX_TEXT_LENGTH)),
    access: onDevice(DevicePermission.WakeSend),
    relaysTo: 'InvokeWakeDevice',
    exceptionReason: 'An error occurred while sending the wake command.',
  }),
  SendDtoToAgent: viewerMethod({
    description: 'Passes a message to an agent. The server does not read it.',
    parameters: [SendDtoToAgentRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.Read),
    relaysTo: 'ReceiveDto',
    exceptionReason: 'An error occurred while sending the DTO to the agent.',
  }),
});

/** Devices and their agents. */
export const deviceMethods = {
  ...current,
  ...hub({
    GetDeviceAccessPermissions: positional(current.GetDeviceAccessPermissions2, ['deviceId']),
    RefreshDeviceInfo: withoutAnswer(positional(current.RefreshDeviceInfo2, ['deviceId'])),
    SendAgentUpdateTrigger: withoutAnswer(positional(current.SendAgentUpdateTrigger2, ['deviceId'])),
    UninstallAgent: withoutAnswer(positional(current.UninstallAgent2, ['deviceId', 'reason'])),
    SendPowerStateChange: withoutAnswer(positional(current.SendPowerStateChange2, ['deviceId', 'changeType'])),
    SendWakeDevice: positional(current.SendWakeDevice2, ['deviceId', 'macAddresses']),
  }),
};
