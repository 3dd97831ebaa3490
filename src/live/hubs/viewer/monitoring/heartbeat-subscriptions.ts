import { Injectable } from '@nestjs/common';

import { hubFailure, hubOk, MAX_SUBSCRIPTIONS, viewerHub, type HubResult } from '#libs/contracts';
import type { HubContext } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { devicePermission } from '../../../../access/authorization/permissions/permission.js';
import { StandingRights } from '../../../../access/authorization/revocation/standing-rights.js';
import { DeviceFeed, heartbeatGroup } from '../../../../devices/device-link/device-feed.js';
import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';
import { ViewerAccess } from '../connections/viewer-access.js';

/** The permission on a device that a subscription requires. */
const PERMISSION = devicePermission(viewerHub.SubscribeToDeviceHeartbeats2.access.permission);

/** The devices that each viewer hears of. A viewer that loses the right to read a device stops hearing of it. */
@Injectable()
export class HeartbeatSubscriptions {
  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly rights: StandingRights,
    private readonly feed: DeviceFeed,
  ) {}

  /** Adds devices to those that the viewer hears of. Devices that are unknown or that it may not read are skipped; repeats count once. */
  async subscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    const readable: string[] = [];
    for (const id of new Set(deviceIds)) if (await this.access.reaches(viewer, PERMISSION, id)) readable.push(id);
    const added = readable.filter((id) => !viewer.subscriptions.has(id));
    if (viewer.subscriptions.size + added.length > MAX_SUBSCRIPTIONS) {
      return hubFailure(`Too many subscriptions: at most ${MAX_SUBSCRIPTIONS} devices on one connection.`);
    }
    // A viewer that has disconnected already would keep its subscriptions for ever.
    if (!viewer.connection.isOpen) return hubOk();
    for (const id of added) this.add(viewer, id);
    return hubOk();
  }

  /** Ends subscriptions of the viewer. */
  unsubscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    for (const id of deviceIds) this.remove(viewer, id);
    return Promise.resolve(hubOk());
  }

  /** Forgets a viewer that disconnected. The hub has already removed it from its groups. */
  forgetViewer(viewer: ConnectedViewer): void {
    for (const [id, standing] of viewer.subscriptions) {
      this.rights.release(standing);
      this.feed.unwatch(id);
    }
    viewer.subscriptions.clear();
  }

  private add(viewer: ConnectedViewer, id: string): void {
    const { principal } = viewer;
    const device = { id, permission: PERMISSION, outlastsKey: true } as const;
    const standing = { principal, device, end: () => this.remove(viewer, id) };
    viewer.subscriptions.set(id, standing);
    this.feed.watch(id);
    this.rights.hold(standing);
    // The groups of a connection of this process change at once, and that cannot fail.
    void this.viewers.addToGroup(viewer.connectionId, heartbeatGroup(id));
  }

  private remove(viewer: ConnectedViewer, id: string): void {
    const standing = viewer.subscriptions.get(id);
    if (standing === undefined) return;
    viewer.subscriptions.delete(id);
    this.feed.unwatch(id);
    this.rights.release(standing);
    void this.viewers.removeFromGroup(viewer.connectionId, heartbeatGroup(id));
  }
}
