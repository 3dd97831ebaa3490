import { ChatResponseHubDto, TerminalOutputDto } from '#libs/contracts';

import type { ChatOutcome } from '../../hubs/viewer/chat/chat-outcome.js';
import type { ViewerTerminals } from '../../hubs/viewer/terminals/viewer-terminals.js';
import type { ViewerInbox } from '../../hubs/viewer/viewer-inbox.js';
import type { NodeMethodHandlers } from '../line/node-calls.js';
import type { RepeatedOutputs } from './repeated-outputs.js';

/** The calls between nodes about a viewer. Outputs and answers in chats are in the form of MessagePack. */
export type ViewerMethods = {
  /** `[viewer's connection, device, asking node, number, output]` → true if the viewer took it. A number that it has had is not shown again. */
  readonly Output: { readonly args: [string, string, string, number, unknown]; readonly answer: boolean };
  /** `[viewer's connection, device, output]` */
  readonly Unread: { readonly args: [string, string, unknown]; readonly answer: null };
  /** `[device, terminal]`: a viewer of the asking node uses that terminal now */
  readonly TakenOver: { readonly args: [string, string]; readonly answer: null };
  /** `[viewer's connection, device, answer in a chat]` */
  readonly Chat: { readonly args: [string, string, unknown]; readonly answer: ChatOutcome };
};

const ENCODING = 'messagepack';

export const carriedOutput = (output: TerminalOutputDto): unknown => TerminalOutputDto.encode(output, ENCODING);
export const carriedChat = (response: ChatResponseHubDto): unknown => ChatResponseHubDto.encode(response, ENCODING);

/** Serves other nodes' calls of viewers that are connected to this one. */
export function viewerCallHandlers(
  inbox: ViewerInbox,
  terminals: Pick<ViewerTerminals, 'takenOver'>,
  repeated: RepeatedOutputs,
): NodeMethodHandlers<ViewerMethods> {
  return {
    Output: async ([viewerId, deviceId, from, number, carried]) => {
      const [viewer, device] = [String(viewerId), String(deviceId)];
      const output = TerminalOutputDto.decode(carried, ENCODING);
      const terminal = { viewer, terminal: `${device} ${output.terminalId}` };
      return repeated.once(terminal, String(from), Number(number), () => inbox.output(viewer, device, output));
    },
    Unread: async ([viewerId, deviceId, carried]) => {
      await inbox.unread(String(viewerId), String(deviceId), TerminalOutputDto.decode(carried, ENCODING));
      return null;
    },
    TakenOver: async ([deviceId, terminalId]) => {
      terminals.takenOver(String(deviceId), String(terminalId));
      return null;
    },
    Chat: async ([viewerId, deviceId, carried]) =>
      inbox.chat(String(viewerId), String(deviceId), ChatResponseHubDto.decode(carried, ENCODING)),
  };
}
