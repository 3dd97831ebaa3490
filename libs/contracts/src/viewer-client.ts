import { ChatResponseHubDto } from './dtos/chat.js';
import { DeviceResponseDto } from './dtos/devices.js';
import { ServerStatsDto, ToastInfo } from './dtos/server-events.js';
import { TerminalOutputDto } from './dtos/terminal.js';
import { hub } from './hub-method.js';
import { bool } from './wire/primitives.js';

/** The methods that the server calls on a viewer. */
export const viewerClient = hub({
  InvokeToast: {
    description: 'Shows a short message: a device that the viewer subscribed to was registered again with another key.',
    parameters: [ToastInfo],
    parameterNames: ['toast'],
  },
  ReceiveChatResponse: {
    description: 'Receives the answer of the person at a device. Answers true when it was shown.',
    parameters: [ChatResponseHubDto],
    parameterNames: ['response'],
    returns: bool,
  },
  ReceiveDeviceUpdate: {
    description:
      'Receives the state of a device that the viewer subscribed to with `SubscribeToDeviceHeartbeats2`: after each accepted report, after each change over HTTP, and when it goes offline. A viewer that reads too slowly gets only the newest state of each device.',
    parameters: [DeviceResponseDto],
    parameterNames: ['device'],
  },
  ReceiveServerStats: {
    description:
      'Receives the statistics of the server when they have changed, at most every 5 seconds. Viewers with the permission `server.telemetry.read` get them without a subscription.',
    parameters: [ServerStatsDto],
    parameterNames: ['stats'],
  },
  ReceiveTerminalOutput: {
    description: 'Receives output of a terminal of this connection, in the order of the agent, while the viewer has `device.terminal.use`.',
    parameters: [TerminalOutputDto],
    parameterNames: ['output'],
  },
});
