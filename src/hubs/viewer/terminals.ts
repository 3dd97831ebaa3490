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
  type ViewerMethodRules,
} from '#libs/contracts';

import { Turns } from '../../common/turns.js';
import { DeviceLink } from '../../device-link/device-link.js';
import type { ConnectedViewer } from './connected-viewer.js';
import { ViewerAccess } from './viewer-access.js';

/** Terminals on devices. Output comes back to the connection that opened the terminal (viewer-messages.ts). */
@Injectable()
export class Terminals {
  private readonly turns = new Turns();

  constructor(
    private readonly access: ViewerAccess,
    private readonly link: DeviceLink,
  ) {}

  create(viewer: ConnectedViewer, { deviceId, terminalId }: CreateTerminalSessionRequestDto): Promise<HubResult> {
    return this.inTurn(viewer, viewerHub.CreateTerminalSession2, deviceId, terminalId, async () => {
      viewer.usesTerminal(terminalId, deviceId);
      return withoutValue(await this.link.invoke(deviceId, agentClient.CreateTerminalSession, [terminalId, viewer.connectionId]));
    });
  }

  /** Answers once the agent has accepted the input, before the command ends. */
  input(viewer: ConnectedViewer, { deviceId, input }: SendTerminalInputRequestDto): Promise<HubResult> {
    return this.inTurn(viewer, viewerHub.SendTerminalInput2, deviceId, input.terminalId, async () => {
      viewer.usesTerminal(input.terminalId, deviceId);
      const sent = { ...input, viewerConnectionId: viewer.connectionId };
      return withoutValue(await this.link.invoke(deviceId, agentClient.ReceiveTerminalInput, [sent]));
    });
  }

  close(viewer: ConnectedViewer, { deviceId, terminalId }: CloseTerminalSessionRequestDto): Promise<HubResult> {
    return this.inTurn(viewer, viewerHub.CloseTerminalSession2, deviceId, terminalId, async () => {
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

  /**
   * What a viewer sends to one terminal reaches the agent in the order in which it came, however long it takes to look up the
   * right. `send` has sent when it returns its promise: the next one does not wait for the agent's answer.
   */
  private inTurn(
    viewer: ConnectedViewer,
    rules: ViewerMethodRules,
    deviceId: string,
    terminalId: string,
    send: () => Promise<HubResultOf<never>>,
  ): Promise<HubResult> {
    return new Promise((resolve, reject) => {
      const sendInTurn = (): Promise<void> =>
        new Promise((sent) => {
          const answer = this.access.onDevice(viewer, rules, deviceId, () => {
            const answered = send();
            sent();
            return answered;
          });
          answer.finally(sent).then(resolve, reject);
        });
      void this.turns.take(`${viewer.connectionId} ${terminalId}`, sendInTurn);
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
