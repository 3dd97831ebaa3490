import { Injectable } from '@nestjs/common';

import type { HubResult } from '#libs/contracts';

import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { DeviceActivities } from '../../../../devices/device-activity/device-activities.js';
import { DeviceActivityOutcome, type DeviceActivityKind } from '../../../../devices/device-activity/device-activity-kinds.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';

/** Leaves an audit record of each command that changes a device or its agent. */
@Injectable()
export class DeviceCommands {
  constructor(private readonly activities: DeviceActivities) {}

  /**
   * Carries the command out and records that the viewer gave it. `subject` names the object of the command; empty when the kind says it
   * all.
   */
  record<R extends HubResult>(
    viewer: ConnectedViewer,
    { id, tenantId }: DeviceResource,
    kind: DeviceActivityKind,
    subject: string,
    command: () => Promise<R>,
  ): Promise<R> {
    const activity = { kind, tenantId, deviceId: id, ...(subject === '' ? {} : { subject }) };
    return this.activities.record(viewer.actor, activity, async (running) => {
      const result = await command();
      if (!result.isSuccess) running.end(DeviceActivityOutcome.Failed);
      return result;
    });
  }
}
