import { ChatResponseHubDto } from './dtos/chat.js';
import { DeviceResponseDto } from './dtos/devices.js';
import { ServerStatsDto, ToastInfo } from './dtos/server-events.js';
import { TerminalOutputDto } from './dtos/terminal.js';
import { hub } from './hub-method.js';
import { bool } from './wire/primitives.js';

/** The methods that the server calls on a viewer. */
export const viewerClient = hub({
  InvokeToast: {
    description: 'Shows a short message: that a device to which the viewer subscribed was registered again with another key.',
    parameters: [ToastInfo],
    parameterNames: ['toast'],
  },
  ReceiveChatResponse: {
    description: 'Takes the answer of the person at a device. True when it was shown.',
    parameters: [ChatResponseHubDto],
    parameterNames: ['response'],
    returns: bool,
  },
  ReceiveDeviceUpdate: {
    description:
      'Takes the state of a device that the viewer subscribed to, with `SubscribeToDeviceHeartbeats2`: after each accepted report, each change over HTTP and when it goes offline. A viewer that reads too slowly gets the newest state of each device only.',
    parameters: [DeviceResponseDto],
    parameterNames: ['device'],
  },
  ReceiveServerStats: {
    description:
      'Takes the figures of the server, when they have changed and at most every 5 seconds. Viewers with the permission `server.telemetry.read` get them without a subscription.',
    parameters: [ServerStatsDto],
    parameterNames: ['stats'],
  },
  ReceiveTerminalOutput: {
    description:
      'Takes output of a terminal that this connection uses, in the order in which the agent sent it, as long as the viewer holds `device.terminal.use`.',
    parameters: [TerminalOutputDto],
    parameterNames: ['output'],
  },
});
