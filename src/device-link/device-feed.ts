import { Injectable } from '@nestjs/common';

import { viewerClient, type DeviceResponseDto } from '#libs/contracts';
import { HubContext, InjectHub } from '#libs/signalr';

import { VIEWER_HUB_PATH } from '../common/hub-paths.js';

/** The group of viewers that subscribed to a device. The name never reaches the wire. */
export function heartbeatGroup(deviceId: string): string {
  return `device:${deviceId}:heartbeat`;
}

/** Pushes the state of devices to the viewers that subscribed to them. To a slow viewer only the newest state of a device goes. */
@Injectable()
export class DeviceFeed {
  constructor(@InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext) {}

  /** Pushes a device's state: after each accepted update, each change over HTTP and each disconnect. */
  publish(device: DeviceResponseDto): void {
    this.viewers.group(heartbeatGroup(device.id)).sendLatest(device.id, viewerClient.ReceiveDeviceUpdate, [device]);
  }
}
