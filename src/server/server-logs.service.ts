import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import type { GetAspireUrlResponseDto } from './server-logs.dto.js';

/** Where the logs of the server are read: at a telemetry dashboard of the operator's. */
@Injectable()
export class ServerLogsService {
  constructor(private readonly settings: Settings) {}

  /** The dashboard's sign-in address with its token; without a token, that of an open dashboard. */
  dashboard(): GetAspireUrlResponseDto {
    const { publicWebUrl, token } = this.settings.telemetryDashboard;
    if (publicWebUrl === '') return { isConfigured: false, aspireUrl: null };
    if (token === '') return { isConfigured: true, aspireUrl: publicWebUrl };
    const url = new URL('login', publicWebUrl.endsWith('/') ? publicWebUrl : `${publicWebUrl}/`);
    url.searchParams.set('t', token);
    return { isConfigured: true, aspireUrl: url.href };
  }
}
