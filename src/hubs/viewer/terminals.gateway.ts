import { WebSocketGateway } from '@nestjs/websockets';

import { viewerHub, type HubResult, type HubResultOf, type PwshCompletionsResponseDto } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { Serves } from './serves.js';
import type { CallOf } from './viewer-call.js';
import { ViewerCalls } from './viewer-calls.js';

/** Terminals on devices. Their output comes back through ViewerMessages. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class TerminalsGateway {
  constructor(readonly calls: ViewerCalls) {}

  @Serves(viewerHub.CreateTerminalSession2)
  create({ viewer, request: { deviceId, terminalId }, relay }: CallOf<'CreateTerminalSession2'>): Promise<HubResult> {
    viewer.usesTerminal(terminalId, deviceId);
    return relay(terminalId, viewer.connectionId);
  }

  @Serves(viewerHub.SendTerminalInput2)
  input({ viewer, request: { deviceId, input }, relay }: CallOf<'SendTerminalInput2'>): Promise<HubResult> {
    viewer.usesTerminal(input.terminalId, deviceId);
    return relay({ ...input, viewerConnectionId: viewer.connectionId });
  }

  @Serves(viewerHub.CloseTerminalSession2)
  async close({ viewer, request: { terminalId }, relay }: CallOf<'CloseTerminalSession2'>): Promise<HubResult> {
    const result = await relay(terminalId);
    viewer.forgetTerminal(terminalId);
    return result;
  }

  @Serves(viewerHub.GetPwshCompletions)
  completions({ viewer, request, relay }: CallOf<'GetPwshCompletions'>): Promise<HubResultOf<PwshCompletionsResponseDto>> {
    return relay({ ...request, viewerConnectionId: viewer.connectionId });
  }
}
