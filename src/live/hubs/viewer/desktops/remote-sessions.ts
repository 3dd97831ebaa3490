import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { hubFailure, viewerHub, type HubResult } from '#libs/contracts';

import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { devicePermission, Permission } from '../../../../access/authorization/permissions/permission.js';
import { DeviceActivityKind, SessionConsent } from '../../../../devices/device-activity/device-activity-kinds.js';
import { UserPreferencesService } from '../../../../people/user-preferences/user-preferences.service.js';
import { RelayAddresses } from '../../../relay/relay-addresses.js';
import { SessionRightsWatch } from '../../../relay/remote-control/session-rights.js';
import { RequestedSessions, type SessionRequest } from '../../../relay/requested-sessions.js';
import type { CallOf } from '../calls/viewer-call.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';
import { ViewerNames } from '../connections/viewer-names.js';

const REMOTE_CONTROL = devicePermission(viewerHub.RequestRemoteControlSession2.access.permission);
const VNC = devicePermission(viewerHub.RequestVncSession2.access.permission);

/** The session that a viewer asks for, and the address at which the device is to join it. */
interface AskedSession {
  readonly sessionId: string;
  readonly websocketUri: string;
}

/** Facts about the viewer in a request for a session. They replace those that the viewer sent. */
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
    private readonly rights: SessionRightsWatch,
    private readonly addresses: RelayAddresses,
    private readonly preferences: UserPreferencesService,
    private readonly names: ViewerNames,
    private readonly dataSource: DataSource,
  ) {}

  /** Asks for a session with a desktop. The relay reads its messages, and passes those on that the viewer has a right to. */
  async remoteControl({ viewer, device, request, relay }: CallOf<'RequestRemoteControlSession2'>): Promise<HubResult> {
    const problem = this.problemOf(viewer, request);
    if (problem !== null) return hubFailure(problem);
    const facts = await this.factsOf(viewer, device);
    const rightsWithin = await this.rights.begin(viewer.actor.principal, device);
    const remoteControl = {
      desktopSession: request.targetSystemSession,
      isViewOnly: !rightsWithin.has(Permission.DeviceRemoteControlInteract),
      consent: request.requireConsent ? SessionConsent.Asked : SessionConsent.NotAsked,
    };
    const as = { kind: DeviceActivityKind.RemoteControl, permission: REMOTE_CONTROL, rightsWithin, remoteControl };
    return this.requested.request({ ...sessionOf(viewer, device, request), ...as }, () => relay({ ...request, ...facts }));
  }

  /** Asks for a session with a VNC server, whose bytes pass as they are. */
  async vnc({ viewer, device, request, relay }: CallOf<'RequestVncSession2'>): Promise<HubResult> {
    const problem = this.problemOf(viewer, request);
    if (problem !== null) return hubFailure(problem);
    const facts = await this.factsOf(viewer, device);
    const as = { kind: DeviceActivityKind.Vnc, permission: VNC, rightsWithin: null };
    return this.requested.request({ ...sessionOf(viewer, device, request), ...as }, () => relay({ ...request, ...facts }));
  }

  /** The reason why the address that the device would get does not lead to the session at this service's relay; null if it does. */
  private problemOf(viewer: ConnectedViewer, { sessionId, websocketUri }: AskedSession): string | null {
    return this.addresses.problemOf({ sessionId, websocketUri }, viewer.connection.calledHost ?? '');
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

function sessionOf(
  { actor }: ConnectedViewer,
  device: DeviceResource,
  { sessionId }: AskedSession,
): Pick<SessionRequest, 'actor' | 'device' | 'sessionId'> {
  return { actor, device, sessionId: sessionId.toLowerCase() };
}
