import { WebSocketGateway } from '@nestjs/websockets';

import { viewerHub, type HubResult } from '#libs/contracts';

import { DeviceActivities } from '../../../../devices/device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../../devices/device-activity/device-activity-kinds.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import type { CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { FileUpload } from './file-upload.js';

/** Files for devices. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class FilesGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly uploads: FileUpload,
    private readonly link: DeviceLink,
    private readonly activities: DeviceActivities,
  ) {}

  @Serves(viewerHub.UploadFile)
  async upload({ viewer, device, request, items, arrivedAt, canceled }: CallOf<'UploadFile'>): Promise<HubResult> {
    const { targetDirectory, fileName } = request;
    const activity = {
      kind: DeviceActivityKind.Upload,
      tenantId: device.tenantId,
      deviceId: device.id,
      subject: `${targetDirectory}/${fileName}`,
    };
    const transfer = this.link.beginTransfer(device.id, viewer.connectionId);
    try {
      return await this.activities.record(viewer.actor, activity, async (running) => {
        const bytes = running.countIn(items);
        const ends = { canceled, cut: transfer.cut };
        const result = await this.uploads.upload(viewer.principal, { metadata: request, bytes, arrivedAt }, ends);
        if (!result.isSuccess) running.end(DeviceActivityOutcome.Failed);
        return result;
      });
    } finally {
      transfer.end();
    }
  }
}
