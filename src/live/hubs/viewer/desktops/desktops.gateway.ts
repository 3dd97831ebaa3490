import { WebSocketGateway } from '@nestjs/websockets';

import { hubValue, viewerHub, type ActiveDesktopSessionsResponseDto, type HubResult, type HubResultOf } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import type { CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { RemoteSessions } from './remote-sessions.js';

/** Desktops of devices: remote control and VNC. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class DesktopsGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly sessions: RemoteSessions,
  ) {}

  @Serves(viewerHub.GetActiveDesktopSessions2)
  async list({ relay }: CallOf<'GetActiveDesktopSessions2'>): Promise<HubResultOf<ActiveDesktopSessionsResponseDto>> {
    return hubValue({ sessions: await relay() });
  }

  @Serves(viewerHub.RequestRemoteControlPermission2)
  requestPermission({ request, relay }: CallOf<'RequestRemoteControlPermission2'>): Promise<HubResult> {
    return relay(request.targetProcessId);
  }

  @Serves(viewerHub.RequestRemoteControlSession2)
  requestRemoteControl(call: CallOf<'RequestRemoteControlSession2'>): Promise<HubResult> {
    return this.sessions.remoteControl(call);
  }

  @Serves(viewerHub.RequestVncSession2)
  requestVnc(call: CallOf<'RequestVncSession2'>): Promise<HubResult> {
    return this.sessions.vnc(call);
  }

  @Serves(viewerHub.TestVncConnection2)
  testVnc({ request, relay }: CallOf<'TestVncConnection2'>): Promise<HubResult> {
    return relay(request.port);
  }

  @Serves(viewerHub.InvokeCtrlAltDel2)
  invokeCtrlAltDel({ viewer, request, relay }: CallOf<'InvokeCtrlAltDel2'>): Promise<HubResult> {
    const { targetDesktopProcessId, desktopSessionType } = request;
    return relay({ targetDesktopProcessId, desktopSessionType, invokerUserName: viewer.principal.name });
  }
}
