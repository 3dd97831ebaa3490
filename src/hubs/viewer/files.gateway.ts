import { WebSocketGateway } from '@nestjs/websockets';

import { viewerHub, type HubResult } from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { FileUpload } from './file-upload.js';
import { Serves } from './serves.js';
import type { CallOf } from './viewer-call.js';
import { ViewerCalls } from './viewer-calls.js';

/** Files for devices. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class FilesGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly uploads: FileUpload,
  ) {}

  @Serves(viewerHub.UploadFile)
  upload({ request, items, canceled }: CallOf<'UploadFile'>): Promise<HubResult> {
    return this.uploads.upload(request, items, canceled);
  }
}
