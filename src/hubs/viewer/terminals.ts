import { Injectable } from '@nestjs/common';

import {
  agentClient,
  hubFailure,
  hubOk,
  viewerHub,
  type CloseTerminalSessionRequestDto,
  type CreateTerminalSessionRequestDto,
  type HubResult,
  type HubResultOf,
  type PwshCompletionsRequestDto,
  type PwshCompletionsResponseDto,
  type SendTerminalInputRequestDto,
} from '#libs/contracts';

import { DeviceLink } from '../../device-link/device-link.service.js';
import type { ConnectedViewer } from './connected-viewer.js';
import { ViewerAccess } from './viewer-access.js';

/** Terminals on devices. Output comes back to the connection that opened the terminal (viewer-messages.ts). */
@Injectable()
export class Terminals {
  constructor(
    private readonly access: ViewerAccess,
    private readonly link: DeviceLink,
  ) {}

  create(viewer: ConnectedViewer, { deviceId, terminalId }: CreateTerminalSessionRequestDto): Promise<HubResult> {
    return this.access.onDevice(viewer, viewerHub.CreateTerminalSession2, deviceId, async () => {
      viewer.usesTerminal(terminalId, deviceId);
      return withoutValue(await this.link.invoke(deviceId, agentClient.CreateTerminalSession, [terminalId, viewer.connectionId]));
    });
  }

  /** Answers once the agent has accepted the input, before the command ends. */
  input(viewer: ConnectedViewer, { deviceId, input }: SendTerminalInputRequestDto): Promise<HubResult> {
    return this.access.onDevice(viewer, viewerHub.SendTerminalInput2, deviceId, async () => {
      viewer.usesTerminal(input.terminalId, deviceId);
      const sent = { ...input, viewerConnectionId: viewer.connectionId };
      return withoutValue(await this.link.invoke(deviceId, agentClient.ReceiveTerminalInput, [sent]));
    });
  }

  close(viewer: ConnectedViewer, { deviceId, terminalId }: CloseTerminalSessionRequestDto): Promise<HubResult> {
    return this.access.onDevice(viewer, viewerHub.CloseTerminalSession2, deviceId, async () => {
      this.link.send(deviceId, agentClient.CloseTerminalSession, terminalId);
      viewer.forgetTerminal(terminalId);
      return withoutValue(hubOk());
    });
  }

  completions(viewer: ConnectedViewer, request: PwshCompletionsRequestDto): Promise<HubResultOf<PwshCompletionsResponseDto>> {
    return this.access.onDevice(viewer, viewerHub.GetPwshCompletions, request.deviceId, async () => {
      const asked = { ...request, viewerConnectionId: viewer.connectionId };
      return withReason(await this.link.invoke(request.deviceId, agentClient.GetPwshCompletions, [asked]));
    });
  }
}

/** A result without a value in the shape of those that have one. */
export function withoutValue(result: HubResult): HubResultOf<never> {
  return withReason({ value: null, ...result });
}

/** The agent's result as viewers can read it: other clients' readers throw when a failure has no reason. */
function withReason<T>(result: HubResultOf<T>): HubResultOf<T> {
  return result.isSuccess ? result : { ...hubFailure(result.reason ?? ''), errorCode: result.errorCode };
}
