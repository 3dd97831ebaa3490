import { WebSocketGateway } from '@nestjs/websockets';

import { hubFailure, viewerHub, type HubResult, type HubResultOf, type PwshCompletionsResponseDto } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import { VIEWER_LEFT, type CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { TerminalActivities } from './terminal-activities.js';
import { ViewerTerminals } from './viewer-terminals.js';

/** Terminals on devices. Their output comes back through the ViewerInbox. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class TerminalsGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly terminals: ViewerTerminals,
    private readonly activities: TerminalActivities,
  ) {}

  @Serves(viewerHub.CreateTerminalSession2)
  async create({ viewer, device, request: { deviceId, terminalId }, relay }: CallOf<'CreateTerminalSession2'>): Promise<HubResult> {
    if (!(await this.terminals.use(viewer, deviceId, terminalId))) return hubFailure(VIEWER_LEFT);
    const result = await relay(terminalId, viewer.connectionId);
    if (result.isSuccess) this.activities.received(viewer, device, terminalId, '');
    return result;
  }

  @Serves(viewerHub.SendTerminalInput2)
  async input({ viewer, device, request: { deviceId, input }, relay }: CallOf<'SendTerminalInput2'>): Promise<HubResult> {
    if (!(await this.terminals.use(viewer, deviceId, input.terminalId))) return hubFailure(VIEWER_LEFT);
    const result = await relay({ ...input, viewerConnectionId: viewer.connectionId });
    if (result.isSuccess) this.activities.received(viewer, device, input.terminalId, input.input);
    return result;
  }

  @Serves(viewerHub.CloseTerminalSession2)
  async close({ viewer, request: { deviceId, terminalId }, relay }: CallOf<'CloseTerminalSession2'>): Promise<HubResult> {
    const user = this.terminals.userOf(deviceId, terminalId);
    const result = await relay(terminalId);
    this.terminals.forget(viewer, deviceId, terminalId);
    // Another connection may have used it, whose record has ended too.
    if (user !== undefined && result.isSuccess) this.terminals.forget(user, deviceId, terminalId);
    return result;
  }

  @Serves(viewerHub.GetPwshCompletions)
  completions({ viewer, request, relay }: CallOf<'GetPwshCompletions'>): Promise<HubResultOf<PwshCompletionsResponseDto>> {
    return relay({ ...request, viewerConnectionId: viewer.connectionId });
  }
}
