import { ChatResponseHubDto } from './dtos/chat.js';
import { DeviceResponseDto } from './dtos/devices.js';
import { ServerStatsDto, ToastInfo } from './dtos/server-events.js';
import { TerminalOutputDto } from './dtos/terminal.js';
import { hub } from './hub-method.js';
import { bool } from './wire/primitives.js';

/** What the server may call on a viewer (specification, part Events). */
export const viewerClient = hub({
  InvokeToast: { parameters: [ToastInfo] },
  ReceiveChatResponse: { parameters: [ChatResponseHubDto], returns: bool },
  ReceiveDeviceUpdate: { parameters: [DeviceResponseDto] },
  ReceiveServerStats: { parameters: [ServerStatsDto] },
  ReceiveTerminalOutput: { parameters: [TerminalOutputDto] },
});
