import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import type { PublicServerSettingsDto } from './public-server-settings.dto.js';

/** Settings of the server that are public. */
@Injectable()
export class PublicServerSettingsService {
  constructor(private readonly settings: Settings) {}

  get(): PublicServerSettingsDto {
    const { enablePublicRegistration, disableDesktopPreview } = this.settings.appOptions;
    return { isPublicRegistrationEnabled: enablePublicRegistration, disableDesktopPreview };
  }
}
