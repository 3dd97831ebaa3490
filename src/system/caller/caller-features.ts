import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AgentInstallations } from '../../devices/agent-updates/agent-installations.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import type { CallerFeaturesDto } from './caller.dto.js';

/** The server's offer to those who signed in. */
@Injectable()
export class CallerFeatures {
  constructor(
    private readonly installations: AgentInstallations,
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** The offer to users of a tenant, with addresses as the request reached the server. */
  async of(request: Request, tenantId: string): Promise<CallerFeaturesDto> {
    const { enablePublicRegistration, disableDesktopPreview, maxFileTransferSize } = this.settings.appOptions;
    const publicUrl = this.publicUrl.ofCaller(request);
    return {
      isPublicRegistrationEnabled: enablePublicRegistration,
      disableDesktopPreview,
      maxFileTransferSize,
      publicUrl,
      agentInstallations: await this.installations.of(publicUrl, tenantId),
    };
  }
}
