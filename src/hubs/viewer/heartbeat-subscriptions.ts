import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { hubFailure, hubOk, MAX_SUBSCRIPTIONS, viewerHub, type HubResult } from '#libs/contracts';
import { HubContext, InjectHub } from '#libs/signalr';

import { devicePermission } from '../../authorization/permission.js';
import { messageOf } from '../../common/errors.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { InvalidationBus, type InvalidationListener } from '../../database/invalidation-bus.js';
import { Topic } from '../../database/invalidation-topics.js';
import { heartbeatGroup } from '../../device-link/device-feed.js';
import type { ConnectedViewer } from './connected-viewer.js';
import { ViewerAccess } from './viewer-access.js';

/** The permission on a device that a subscription requires. */
const PERMISSION = devicePermission(viewerHub.SubscribeToDeviceHeartbeats2.access.permission);
/** Writes that change rights come in bursts. The subscriptions are checked once for a burst. */
const RECHECK_DELAY_MS = 50;
/** The wait before a check that failed because of the database is repeated. */
const RETRY_DELAY_MS = 1_000;
/** Subscriptions that are checked before other work gets a turn. */
const CHECKS_PER_TURN = 500;
/** How often credentials are checked for expiry, which no write announces. */
const EXPIRY_INTERVAL_MS = 60_000;

/**
 * The viewers that receive the reports of each device. A viewer that loses the permission to read a device stops
 * receiving its reports with the write that revoked the permission.
 */
@Injectable()
export class HeartbeatSubscriptions implements InvalidationListener, OnModuleInit {
  private readonly logger = new Logger('HeartbeatSubscriptions');
  private readonly subscribers = new Set<ConnectedViewer>();
  /** The devices whose subscriptions must be checked; null when there are none. */
  private unchecked: Set<string> | 'all' | null = null;
  private nextCheck: NodeJS.Timeout | null = null;
  /** Counts the writes that changed rights. A decision during such a write is repeated. */
  private writes = 0;

  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    private readonly access: ViewerAccess,
    private readonly invalidations: InvalidationBus,
  ) {}

  onModuleInit(): void {
    this.invalidations.subscribe(this);
  }

  /** Subscribes the viewer to devices. Unknown devices and those that it may not read are skipped; repeats count once. */
  async subscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    const { writes } = this;
    const readable: string[] = [];
    for (const id of new Set(deviceIds)) if (await this.access.reaches(viewer, PERMISSION, id)) readable.push(id);
    const added = readable.filter((id) => !viewer.subscriptions.has(id));
    if (viewer.subscriptions.size + added.length > MAX_SUBSCRIPTIONS) {
      return hubFailure(`Too many subscriptions: at most ${MAX_SUBSCRIPTIONS} devices on one connection.`);
    }
    for (const id of added) {
      viewer.subscriptions.add(id);
      await this.viewers.addToGroup(viewer.connectionId, heartbeatGroup(id));
    }
    if (viewer.subscriptions.size > 0 && viewer.connection.isOpen) this.subscribers.add(viewer);
    if (writes !== this.writes) this.checkSoon('all');
    return hubOk();
  }

  /** Ends subscriptions of the viewer. */
  async unsubscribe(viewer: ConnectedViewer, deviceIds: readonly string[]): Promise<HubResult> {
    for (const id of deviceIds) {
      if (viewer.subscriptions.delete(id)) await this.viewers.removeFromGroup(viewer.connectionId, heartbeatGroup(id));
    }
    if (viewer.subscriptions.size === 0) this.subscribers.delete(viewer);
    return hubOk();
  }

  /** Forgets a viewer that disconnected. The hub has already removed it from its groups. */
  forgetViewer(viewer: ConnectedViewer): void {
    this.subscribers.delete(viewer);
  }

  forget(topic: string, id: string): void {
    // All other topics concern rights.
    this.checkSoon(topic === Topic.Device ? id : 'all');
  }

  forgetAll(): void {
    this.checkSoon('all');
  }

  /** Disconnects subscribers whose credential has expired. */
  @Interval(EXPIRY_INTERVAL_MS)
  async endExpired(): Promise<void> {
    try {
      for (const viewer of this.subscribers) await this.access.isSignedIn(viewer);
    } catch (error) {
      this.logger.warn(`The credentials of viewers could not be checked: ${messageOf(error)}`);
    }
  }

  private checkSoon(what: string): void {
    this.writes += 1;
    if (this.subscribers.size === 0) return;
    if (what === 'all') this.unchecked = 'all';
    else if (this.unchecked !== 'all') this.unchecked = (this.unchecked ?? new Set()).add(what);
    this.checkAfter(RECHECK_DELAY_MS);
  }

  private checkAfter(milliseconds: number): void {
    if (this.nextCheck !== null) return;
    this.nextCheck = setTimeout(() => void this.check(), milliseconds);
    this.nextCheck.unref();
  }

  private async check(): Promise<void> {
    const { unchecked } = this;
    this.unchecked = null;
    let delay = RECHECK_DELAY_MS;
    try {
      if (unchecked !== null) await this.dropUnreadable(unchecked);
    } catch (error) {
      this.logger.warn(`Checking the subscriptions failed and will be repeated: ${messageOf(error)}`);
      this.unchecked = 'all';
      delay = RETRY_DELAY_MS;
    }
    this.nextCheck = null;
    if (this.unchecked !== null) this.checkAfter(delay);
  }

  private async dropUnreadable(devices: ReadonlySet<string> | 'all'): Promise<void> {
    let checks = 0;
    for (const viewer of this.subscribers) {
      const subscribed = devices === 'all' ? viewer.subscriptions : [...devices].filter((id) => viewer.subscriptions.has(id));
      for (const id of subscribed) {
        if (!(await this.access.reaches(viewer, PERMISSION, id))) await this.unsubscribe(viewer, [id]);
        checks += 1;
        if (checks % CHECKS_PER_TURN === 0) await nextTurn();
      }
    }
  }
}
