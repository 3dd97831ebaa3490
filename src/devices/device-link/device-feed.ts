import { Inject, Injectable, Optional } from '@nestjs/common';

import { viewerClient, type DeviceResponseDto, type MessageSeverity } from '#libs/contracts';
import type { HubContext } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { VIEWER_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { KeyedCounter } from '../../platform/common/collections/keyed-counter.js';

/** The name of the group of viewers that subscribed to a device. It never reaches the wire. */
export function heartbeatGroup(deviceId: string): string {
  return `device:${deviceId}:heartbeat`;
}

/** The injection token of {@link OtherFeeds}. A service of one node provides nothing under it. */
export const OTHER_FEEDS = Symbol('OtherFeeds');

/** The feeds of other nodes. They read the state of a device that has changed by themselves. */
export interface OtherFeeds {
  changed(deviceId: string): void;
  toast(deviceId: string, severity: MessageSeverity, message: string): void;
}

/** Pushes the state of devices to the viewers that subscribed to them. A slow viewer gets only the newest state of each device. */
@Injectable()
export class DeviceFeed {
  /** Viewers of this process, by the devices that they hear of. */
  private readonly watchers = new KeyedCounter();

  constructor(
    @InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext,
    @Optional() @Inject(OTHER_FEEDS) private readonly others?: OtherFeeds,
  ) {}

  /** Notes that a viewer of this process hears of a device from now on. */
  watch(deviceId: string): void {
    this.watchers.add(deviceId, 1);
  }

  /** Ends what {@link watch} has noted. */
  unwatch(deviceId: string): void {
    this.watchers.add(deviceId, -1);
  }

  /** True if a viewer of this process hears of the device. */
  isWatched(deviceId: string): boolean {
    return this.watchers.of(deviceId) > 0;
  }

  /** The devices that viewers of this process hear of. */
  watched(): IterableIterator<string> {
    return this.watchers.keys();
  }

  /** Pushes a device's state on all nodes. Call it after each accepted update, each change over HTTP and each disconnect. */
  publish(device: DeviceResponseDto): void {
    this.show(device);
    this.publishElsewhere(device.id);
  }

  /** Lets other nodes push the state of a device that nobody watches here. */
  publishElsewhere(deviceId: string): void {
    this.others?.changed(deviceId);
  }

  /** Pushes a device's state to the viewers of this node. */
  show(device: DeviceResponseDto): void {
    this.viewers.group(heartbeatGroup(device.id)).sendLatest(device.id, viewerClient.ReceiveDeviceUpdate, [device]);
  }

  /** Shows the viewers of a device a message about it, on all nodes. */
  toast(deviceId: string, messageSeverity: MessageSeverity, message: string): void {
    this.showToast(deviceId, messageSeverity, message);
    this.others?.toast(deviceId, messageSeverity, message);
  }

  /** Shows the viewers of this node a message about a device. */
  showToast(deviceId: string, messageSeverity: MessageSeverity, message: string): void {
    this.viewers.group(heartbeatGroup(deviceId)).send(viewerClient.InvokeToast, [{ message, messageSeverity }]);
  }
}
