import { WebSocketGateway } from '@nestjs/websockets';

import { hubFailure, hubOk, viewerHub, type HubResult } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import { VIEWER_LEFT, type CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { DeviceVisits } from './device-visits.js';

/** Takes the reports of viewers about their actions on devices. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class ActivityGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly visits: DeviceVisits,
  ) {}

  @Serves(viewerHub.StartDeviceAccessActivity2)
  async start({ viewer, device }: CallOf<'StartDeviceAccessActivity2'>): Promise<HubResult> {
    return this.visits.begin(viewer, device.id) ? hubOk() : hubFailure(VIEWER_LEFT);
  }

  @Serves(viewerHub.AddViewerActivity2)
  async add({ viewer, request: { activityName } }: CallOf<'AddViewerActivity2'>): Promise<HubResult> {
    this.visits.note(viewer, activityName);
    return hubOk();
  }

  @Serves(viewerHub.DisposeDeviceAccessActivity)
  async dispose({ viewer }: CallOf<'DisposeDeviceAccessActivity'>): Promise<HubResult> {
    this.visits.end(viewer);
    return hubOk();
  }
}
