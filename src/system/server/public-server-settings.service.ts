import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import type { PublicServerSettingsDto } from './public-server-settings.dto.js';

/** Server settings that need no authentication. */
@Injectable()
export class PublicServerSettingsService {
  constructor(private readonly settings: Settings) {}

  get(): PublicServerSettingsDto {
    const { enablePublicRegistration, disableDesktopPreview } = this.settings.appOptions;
    return { isPublicRegistrationEnabled: enablePublicRegistration, disableDesktopPreview };
  }
}
