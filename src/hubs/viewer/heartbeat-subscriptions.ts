import { Injectable, type OnModuleInit } from '@nestjs/common';

import { hubFailure, hubOk, type HubResult } from '#libs/contracts';
import { HubContext, InjectHub } from '#libs/signalr';

import { Permission, PermissionPrincipalKind } from '../../authorization/permission.js';
import { CREDENTIAL_OWNER_TOPIC, CREDENTIAL_TOPIC } from '../../authentication/key-verifier.js';
import { DEVICE_TOPIC } from '../../authorization/authorization.service.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { InvalidationBus, type InvalidationListener } from '../../database/invalidation-bus.js';
import { heartbeatGroup } from '../../device-link/device-feed.js';
import type { ConnectedViewer } from './connected-viewer.js';
import { ViewerAccess } from './viewer-access.js';

/** Most device ids in one call (specification, part Limits). */
const MAXIMUM_IDS = 100;
/** Devices that one connection may be subscribed to. */
const MAXIMUM_SUBSCRIPTIONS = 10_000;
/** Writes that touch rights come in bursts: the subscriptions are checked once for all of a burst. */
const RECHECK_DELAY_MS = 50;

const RIGHTS_TOPICS: ReadonlySet<string> = new Set([
  ...Object.values<string>(PermissionPrincipalKind),
  CREDENTIAL_TOPIC,
  CREDENTIAL_OWNER_TOPIC,
  DEVICE_TOPIC,
]);

/** Who hears of which device. A viewer that loses the right to read a device stops hearing of it with the write that took it. */
@Injectable()
export class HeartbeatSubscriptions implements InvalidationListener, OnModuleInit {
  private readonly subscribers = new Set<ConnectedViewer>();
  private recheck: NodeJS.Timeout | null = null;

  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly invalidations: InvalidationBus,
  ) {}

  onModuleInit(): void {
    this.invalidations.subscribe(this);
  }

  /** Adds devices to what the viewer hears of; unknown and unreadable ones are skipped, repeats are no error. */
  async subscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    if (deviceIds.length > MAXIMUM_IDS) return hubFailure(`Too many device IDs: at most ${MAXIMUM_IDS} in one call.`);
    const readable = await this.access.readable(viewer, Permission.DeviceRead, new Set(deviceIds));
    if (viewer.subscriptions.size + readable.length > MAXIMUM_SUBSCRIPTIONS) {
      return hubFailure(`Too many subscriptions: at most ${MAXIMUM_SUBSCRIPTIONS} devices on one connection.`);
    }
    for (const id of readable) {
      viewer.subscriptions.add(id);
      await this.viewers.addToGroup(viewer.connectionId, heartbeatGroup(id));
    }
    if (viewer.subscriptions.size > 0 && viewer.connection.isOpen) this.subscribers.add(viewer);
    return hubOk();
  }

  /** Takes devices out; needs no permission and never fails. */
  async unsubscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    for (const id of deviceIds) {
      if (viewer.subscriptions.delete(id)) await this.viewers.removeFromGroup(viewer.connectionId, heartbeatGroup(id));
    }
    if (viewer.subscriptions.size === 0) this.subscribers.delete(viewer);
    return hubOk();
  }

  /** The viewer disconnected; the hub has taken it out of its groups. */
  forgetViewer(viewer: ConnectedViewer): void {
    this.subscribers.delete(viewer);
  }

  forget(topic: string): void {
    if (RIGHTS_TOPICS.has(topic)) this.recheckSoon();
  }

  forgetAll(): void {
    this.recheckSoon();
  }

  private recheckSoon(): void {
    if (this.subscribers.size === 0 || this.recheck !== null) return;
    this.recheck = setTimeout(() => {
      this.recheck = null;
      void this.recheckAll();
    }, RECHECK_DELAY_MS);
    this.recheck.unref();
  }

  private async recheckAll(): Promise<void> {
    for (const viewer of this.subscribers) {
      const readable = new Set(await this.access.readable(viewer, Permission.DeviceRead, viewer.subscriptions));
      await this.unsubscribe(
        viewer,
        [...viewer.subscriptions].filter((id) => !readable.has(id)),
      );
    }
  }
}
