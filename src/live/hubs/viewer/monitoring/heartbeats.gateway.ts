import { WebSocketGateway } from '@nestjs/websockets';

import { viewerHub, type HubResult } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import type { CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { HeartbeatSubscriptions } from './heartbeat-subscriptions.js';

/** Subscriptions of viewers to the reports of devices. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class HeartbeatsGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly subscriptions: HeartbeatSubscriptions,
  ) {}

  @Serves(viewerHub.SubscribeToDeviceHeartbeats2)
  subscribe({ viewer, request }: CallOf<'SubscribeToDeviceHeartbeats2'>): Promise<HubResult> {
    return this.subscriptions.subscribe(viewer, request.deviceIds);
  }

  @Serves(viewerHub.UnsubscribeFromDeviceHeartbeats2)
  unsubscribe({ viewer, request }: CallOf<'UnsubscribeFromDeviceHeartbeats2'>): Promise<HubResult> {
    return this.subscriptions.unsubscribe(viewer, request.deviceIds);
  }
}
