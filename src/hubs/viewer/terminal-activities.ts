import { Injectable } from '@nestjs/common';

import type { DeviceResource } from '../../authorization/rules.js';
import { DeviceActivities } from '../../device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../device-activity/device-activity-kinds.js';
import type { RunningActivity } from '../../device-activity/running-activity.js';
import type { ConnectedViewer } from './connected-viewer.js';

/** Most terminals of one viewer with an open record. Beyond, the record that was begun first ends. */
const MAXIMUM_TERMINALS = 256;

/**
 * Leaves audit records of terminals. A record begins when the device has opened the terminal, and ends when the viewer closes or loses the
 * terminal or disconnects. Viewers that use the same terminal have a record each.
 */
@Injectable()
export class TerminalActivities {
  /** By device and terminal. */
  private readonly byViewer = new Map<ConnectedViewer, Map<string, RunningActivity>>();

  constructor(private readonly activities: DeviceActivities) {}

  /** The device has taken input of the viewer, or opened a terminal for it, which is input without text. */
  received(viewer: ConnectedViewer, device: DeviceResource, terminalId: string, input: string): void {
    // A viewer that has left or lost the terminal meanwhile would never end its record.
    if (!viewer.connection.isOpen || viewer.terminal(device.id, terminalId) === undefined) return;
    let ofViewer = this.byViewer.get(viewer);
    if (ofViewer === undefined) this.byViewer.set(viewer, (ofViewer = new Map()));
    const key = keyOf(device.id, terminalId);
    let activity = ofViewer.get(key);
    if (activity === undefined) {
      const [oldest] = ofViewer.keys();
      if (ofViewer.size >= MAXIMUM_TERMINALS) end(ofViewer, oldest);
      const what = { kind: DeviceActivityKind.Terminal, tenantId: device.tenantId, deviceId: device.id };
      ofViewer.set(key, (activity = this.activities.begin(viewer.actor, what)));
    }
    activity.bytesIn += Buffer.byteLength(input);
  }

  /** Output of the terminal was sent to the viewer. */
  printed(viewer: ConnectedViewer, deviceId: string, terminalId: string, output: string): void {
    const activity = this.byViewer.get(viewer)?.get(keyOf(deviceId, terminalId));
    if (activity !== undefined) activity.bytesOut += Buffer.byteLength(output);
  }

  /** The viewer does not use the terminal any more. */
  closed(viewer: ConnectedViewer, deviceId: string, terminalId: string): void {
    const ofViewer = this.byViewer.get(viewer);
    if (ofViewer === undefined) return;
    end(ofViewer, keyOf(deviceId, terminalId));
    if (ofViewer.size === 0) this.byViewer.delete(viewer);
  }
}

function keyOf(deviceId: string, terminalId: string): string {
  return `${deviceId} ${terminalId}`;
}

function end(ofViewer: Map<string, RunningActivity>, key: string): void {
  ofViewer.get(key)?.end(DeviceActivityOutcome.Completed);
  ofViewer.delete(key);
}
