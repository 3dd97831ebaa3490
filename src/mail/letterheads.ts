import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import type { Letterhead } from './templates/layout/letter.js';

/** What mails call a service whose operator has not named a sender. */
const UNNAMED_SERVICE = 'Device Management';

/** Says in mails who writes. */
@Injectable()
export class Letterheads {
  constructor(private readonly settings: Settings) {}

  /** The letterhead of the service that is reached at this public address. */
  of(serviceAddress: string): Letterhead {
    const { smtpDisplayName } = this.settings.appOptions;
    return { serviceName: smtpDisplayName === '' ? UNNAMED_SERVICE : smtpDisplayName, serviceAddress };
  }
}
