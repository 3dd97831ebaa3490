import { Injectable } from '@nestjs/common';

import { SERVICE_VERSION } from '../common/runtime/service-version.js';

/** The version of this service. */
@Injectable()
export class ServerVersion {
  readonly text = SERVICE_VERSION;
}
