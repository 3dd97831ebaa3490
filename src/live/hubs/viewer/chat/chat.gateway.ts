import { WebSocketGateway } from '@nestjs/websockets';

import { hubFailure, viewerHub, type HubResult } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import { VIEWER_LEFT, type CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { ViewerNames } from '../connections/viewer-names.js';
import { ViewerChats } from './viewer-chats.js';

/** Chat with people at devices. Their answers come back through the ViewerInbox. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class ChatGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly chats: ViewerChats,
    private readonly names: ViewerNames,
  ) {}

  @Serves(viewerHub.SendChatMessage2)
  async send({ viewer, device, request, relay }: CallOf<'SendChatMessage2'>): Promise<HubResult> {
    const sender = await this.names.senderOf(viewer, device);
    if (!(await this.chats.use(viewer, device.id, request.sessionId, request.targetProcessId))) return hubFailure(VIEWER_LEFT);
    return relay({ ...request, ...sender, viewerConnectionId: viewer.connectionId });
  }

  @Serves(viewerHub.CloseChatSession2)
  async close({ viewer, device, request: { sessionId, targetProcessId }, relay }: CallOf<'CloseChatSession2'>): Promise<HubResult> {
    this.chats.forget(viewer, device.id, sessionId);
    return relay(sessionId, targetProcessId);
  }
}
