import { Injectable } from '@nestjs/common';

import { viewerClient, type DeviceResponseDto, type MessageSeverity } from '#libs/contracts';
import type { HubContext } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { VIEWER_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';

/** The name of the group of viewers that subscribed to a device. It never reaches the wire. */
export function heartbeatGroup(deviceId: string): string {
  return `device:${deviceId}:heartbeat`;
}

/** Pushes the state of devices to the viewers that subscribed to them. A slow viewer gets only the newest state of each device. */
@Injectable()
export class DeviceFeed {
  constructor(@InjectHub(VIEWER_HUB_PATH) private readonly viewers: HubContext) {}

  /** Pushes a device's state. Call it after each accepted update, each change over HTTP and each disconnect. */
  publish(device: DeviceResponseDto): void {
    this.viewers.group(heartbeatGroup(device.id)).sendLatest(device.id, viewerClient.ReceiveDeviceUpdate, [device]);
  }

  /** Shows the viewers of a device a message about it. */
  toast(deviceId: string, messageSeverity: MessageSeverity, message: string): void {
    this.viewers.group(heartbeatGroup(deviceId)).send(viewerClient.InvokeToast, [{ message, messageSeverity }]);
  }
}
