import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import type { Letterhead } from './templates/layout/letter.js';

/** Name, in mails, of a service whose operator has not named a sender. */
const UNNAMED_SERVICE = 'Device Management';

/** Letterheads, which name the sender in mails. */
@Injectable()
export class Letterheads {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** The letterhead of the service. @throws Error where there is no address for mails, and so no mail */
  current(): Letterhead {
    const serviceAddress = this.publicUrl.forMails;
    if (serviceAddress === null) throw new Error('Mails need AppOptions:PublicUrl.');
    const { smtpDisplayName } = this.settings.appOptions;
    return { serviceName: smtpDisplayName === '' ? UNNAMED_SERVICE : smtpDisplayName, serviceAddress };
  }
}
