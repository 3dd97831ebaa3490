import { Injectable } from '@nestjs/common';

import { conflict } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { smtpOptionsOf } from './smtp-options.js';

const SWITCHED_OFF = 'Mail is turned off on this server (AppOptions:DisableEmailSending).';
const NO_SERVER = 'This server has no mail server. Set AppOptions:SmtpHost, AppOptions:SmtpEmail and AppOptions:SmtpDisplayName.';
const NO_ADDRESS = 'This server sends no mail, because links in mails need its address. Set AppOptions:PublicUrl.';

/** Availability of mail. In development, the mail folder stands in for a mail server. */
@Injectable()
export class MailAvailability {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Reason for which no mail is sent, as a sentence that names the options; null when mail is sent. */
  get obstacle(): string | null {
    const { appOptions, environment } = this.settings;
    if (appOptions.disableEmailSending) return SWITCHED_OFF;
    if (environment !== 'development' && smtpOptionsOf(appOptions) === null) return NO_SERVER;
    return this.publicUrl.forMails === null ? NO_ADDRESS : null;
  }

  /** 409 with the reason when no mail is sent. */
  require(): void {
    const { obstacle } = this;
    if (obstacle !== null) throw conflict(obstacle);
  }
}
