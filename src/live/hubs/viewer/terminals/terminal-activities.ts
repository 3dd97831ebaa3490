import { Injectable } from '@nestjs/common';

import { callerIdOf } from '../../../../access/authentication/principals/principal.js';
import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { DeviceActivities } from '../../../../devices/device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../../devices/device-activity/device-activity-kinds.js';
import type { RunningActivity } from '../../../../devices/device-activity/running-activity.js';
import { terminalKey, type ConnectedViewer } from '../connections/connected-viewer.js';

/** The record of a terminal that runs. */
interface TerminalRecord {
  readonly activity: RunningActivity;
  /** The connection that uses the terminal now. Only its end ends the record. */
  viewer: ConnectedViewer;
}

/**
 * Audit records of terminals: one for each terminal and principal. A record begins when the device has opened the terminal, goes on when
 * another connection of the principal takes the terminal over (a page that was reloaded, another window), and ends with the terminal. Its
 * number is bounded by that of the terminals that viewers may use.
 */
@Injectable()
export class TerminalActivities {
  private readonly records = new Map<string, TerminalRecord>();

  constructor(private readonly activities: DeviceActivities) {}

  /** Assigns the record of the terminal to the viewer, if another connection of its principal began one. */
  takeOver(viewer: ConnectedViewer, deviceId: string, terminalId: string): void {
    const record = this.recordOf(viewer, deviceId, terminalId);
    if (record !== undefined) record.viewer = viewer;
  }

  /** Records input of the viewer that the device has taken, or a terminal that it has opened, which is input without text. */
  received(viewer: ConnectedViewer, device: DeviceResource, terminalId: string, input: string): void {
    // A viewer that has left or lost the terminal by now would never end its record.
    if (!viewer.connection.isOpen || viewer.terminal(device.id, terminalId) === undefined) return;
    let record = this.recordOf(viewer, device.id, terminalId);
    if (record === undefined) {
      const what = { kind: DeviceActivityKind.Terminal, tenantId: device.tenantId, deviceId: device.id };
      record = { activity: this.activities.begin(viewer.actor, what), viewer };
      this.records.set(keyOf(viewer, device.id, terminalId), record);
    }
    record.activity.bytesIn += Buffer.byteLength(input);
  }

  /** Records output of the terminal that was sent to the viewer. */
  printed(viewer: ConnectedViewer, deviceId: string, terminalId: string, output: string): void {
    const record = this.recordOf(viewer, deviceId, terminalId);
    if (record !== undefined) record.activity.bytesOut += Buffer.byteLength(output);
  }

  /** Ends the record of a terminal that the viewer does not use any more. */
  closed(viewer: ConnectedViewer, deviceId: string, terminalId: string): void {
    const record = this.recordOf(viewer, deviceId, terminalId);
    if (record?.viewer !== viewer) return;
    this.records.delete(keyOf(viewer, deviceId, terminalId));
    record.activity.end(DeviceActivityOutcome.Completed);
  }

  private recordOf(viewer: ConnectedViewer, deviceId: string, terminalId: string): TerminalRecord | undefined {
    return this.records.get(keyOf(viewer, deviceId, terminalId));
  }
}

function keyOf({ principal }: ConnectedViewer, deviceId: string, terminalId: string): string {
  return `${callerIdOf(principal)} ${terminalKey(deviceId, terminalId)}`;
}
