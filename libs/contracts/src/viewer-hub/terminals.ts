import { PwshCompletionsRequestDto, PwshCompletionsResponseDto, TerminalInputDto } from '../dtos/terminal.js';
import { DevicePermission } from '../device-permissions.js';
import { hub } from '../hub-method.js';
import { HubResult, hubResultOf } from '../hub-result.js';
import { onDevice, positional, viewerMethod, withoutAnswer } from '../viewer-method.js';
import { record } from '../wire/composites.js';
import { guid } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const CreateTerminalSessionRequestDto = record(
  'CreateTerminalSessionRequestDto',
  'A terminal to open.',
  { deviceId: guid, terminalId: guid },
  { terminalId: 'Chosen by the viewer; it names the terminal from now on.' },
);
export type CreateTerminalSessionRequestDto = Infer<typeof CreateTerminalSessionRequestDto>;

export const SendTerminalInputRequestDto = record('SendTerminalInputRequestDto', 'Input for a terminal of a device.', {
  deviceId: guid,
  input: TerminalInputDto,
});
export type SendTerminalInputRequestDto = Infer<typeof SendTerminalInputRequestDto>;

export const CloseTerminalSessionRequestDto = record('CloseTerminalSessionRequestDto', 'A terminal to close.', {
  deviceId: guid,
  terminalId: guid,
});
export type CloseTerminalSessionRequestDto = Infer<typeof CloseTerminalSessionRequestDto>;

const current = hub({
  CreateTerminalSession2: viewerMethod({
    description:
      'Opens a terminal on a device, or takes over one that is open. This connection gets its output as `ReceiveTerminalOutput`.',
    parameters: [CreateTerminalSessionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.TerminalUse),
    ordered: { by: 'terminal', id: ({ terminalId }) => terminalId },
    relaysTo: 'CreateTerminalSession',
    exceptionReason: 'An error occurred.',
  }),
  SendTerminalInput2: viewerMethod({
    description:
      'Sends input to a terminal, and opens the terminal if it is not open. Answers once the agent has accepted the input, before the command ends.',
    parameters: [SendTerminalInputRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.TerminalUse),
    ordered: { by: 'terminal', id: ({ input }) => input.terminalId },
    relaysTo: 'ReceiveTerminalInput',
    exceptionReason: 'Agent could not be reached.',
  }),
  CloseTerminalSession2: viewerMethod({
    description: 'Closes a terminal and ends its programs. Output that has not arrived yet is dropped.',
    parameters: [CloseTerminalSessionRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.TerminalUse),
    ordered: { by: 'terminal', id: ({ terminalId }) => terminalId },
    relaysTo: 'CloseTerminalSession',
    exceptionReason: 'An error occurred.',
  }),
  GetPwshCompletions: viewerMethod({
    description: 'Completes the command line in a terminal.',
    parameters: [PwshCompletionsRequestDto],
    returns: hubResultOf(PwshCompletionsResponseDto),
    access: onDevice(DevicePermission.TerminalUse),
    relaysTo: 'GetPwshCompletions',
    exceptionReason: 'An error occurred.',
  }),
});

/** Terminals on devices. */
export const terminalMethods = {
  ...current,
  ...hub({
    CreateTerminalSession: positional(current.CreateTerminalSession2, ['deviceId', 'terminalId']),
    SendTerminalInput: positional(current.SendTerminalInput2, ['deviceId', 'input']),
    CloseTerminalSession: withoutAnswer(positional(current.CloseTerminalSession2, ['deviceId', 'terminalId'])),
  }),
};
