import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { viewerHub, type HubResult } from '#libs/contracts';

import { devicePermission } from '../../authorization/permission.js';
import type { DeviceResource } from '../../authorization/rules.js';
import { isGuid } from '../../common/guid.js';
import { DeviceActivityKind } from '../../device-activity/device-activity-kinds.js';
import { RequestedSessions } from '../../relay/requested-sessions.js';
import { UserPreferencesService } from '../../user-preferences/user-preferences.service.js';
import type { ConnectedViewer } from './connected-viewer.js';
import type { CallOf } from './viewer-call.js';
import { ViewerNames } from './viewer-names.js';

const REMOTE_CONTROL = devicePermission(viewerHub.RequestRemoteControlSession2.access.permission);
const VNC = devicePermission(viewerHub.RequestVncSession2.access.permission);

/** What the server says of the viewer in a request for a session, whatever the viewer has said. */
interface ViewerFacts {
  readonly viewerConnectionId: string;
  readonly viewerName: string;
  readonly notifyUserOnSessionStart: boolean;
}

/** Asks devices for sessions, which then go through the relay. */
@Injectable()
export class RemoteSessions {
  constructor(
    private readonly requested: RequestedSessions,
    private readonly preferences: UserPreferencesService,
    private readonly names: ViewerNames,
    private readonly dataSource: DataSource,
  ) {}

  /** Asks for a session with a desktop. */
  async remoteControl({ viewer, device, request, relay }: CallOf<'RequestRemoteControlSession2'>): Promise<HubResult> {
    const facts = await this.factsOf(viewer, device);
    const kind = DeviceActivityKind.RemoteControl;
    return this.requested.request({ actor: viewer.actor, kind, device, permission: REMOTE_CONTROL, sessionId: sessionOf(request) }, () =>
      relay({ ...request, ...facts }),
    );
  }

  /** Asks for a session with a VNC server. */
  async vnc({ viewer, device, request, relay }: CallOf<'RequestVncSession2'>): Promise<HubResult> {
    const facts = await this.factsOf(viewer, device);
    const kind = DeviceActivityKind.Vnc;
    return this.requested.request({ actor: viewer.actor, kind, device, permission: VNC, sessionId: sessionOf(request) }, () =>
      relay({ ...request, ...facts }),
    );
  }

  private async factsOf(viewer: ConnectedViewer, device: DeviceResource): Promise<ViewerFacts> {
    const context = { ...viewer.actor, tenantId: device.tenantId, manager: this.dataSource.manager };
    const [{ notifyUserOnSessionStart }, viewerName] = await Promise.all([
      this.preferences.effective(context),
      this.names.nameOf(viewer, device),
    ]);
    return { viewerConnectionId: viewer.connectionId, viewerName, notifyUserOnSessionStart };
  }
}

/** The session that both sides will name at the relay: that of the address which the device is given. */
function sessionOf({ sessionId, websocketUri }: { readonly sessionId: string; readonly websocketUri: string }): string {
  const named = URL.canParse(websocketUri) ? new URL(websocketUri).searchParams.get('sessionId') : null;
  return (isGuid(named) ? named : sessionId).toLowerCase();
}
