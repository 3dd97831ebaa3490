import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import type { GetAspireUrlResponseDto } from './server-logs.dto.js';

/** The address of the operator's telemetry dashboard, where the server's logs are read. */
@Injectable()
export class ServerLogsService {
  constructor(private readonly settings: Settings) {}

  /** The sign-in address of the dashboard with its token, or the plain address if no token is configured. */
  dashboard(): GetAspireUrlResponseDto {
    const { publicWebUrl, token } = this.settings.telemetryDashboard;
    if (publicWebUrl === '') return { isConfigured: false, aspireUrl: null };
    if (token === '') return { isConfigured: true, aspireUrl: publicWebUrl };
    const url = new URL('login', publicWebUrl.endsWith('/') ? publicWebUrl : `${publicWebUrl}/`);
    url.searchParams.set('t', token);
    return { isConfigured: true, aspireUrl: url.href };
  }
}
