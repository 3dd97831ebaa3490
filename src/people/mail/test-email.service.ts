import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { invalid } from '../../platform/common/errors/errors.js';
import { Letterheads } from './letterheads.js';
import { MailAvailability } from './mail-availability.js';
import { MailService } from './mail.service.js';
import { RecipientsRepository } from './recipients.repository.js';
import { testMessage } from './templates/test-message.js';

/** Lets an administrator check whether mail works. */
@Injectable()
export class TestEmailService {
  constructor(
    private readonly mail: MailService,
    private readonly letterheads: Letterheads,
    private readonly availability: MailAvailability,
    private readonly recipients: RecipientsRepository,
  ) {}

  /** Sends a message to the caller: 400 without a user or address, 409 while no mail is sent, 503 when the mail server fails. */
  async send({ principal, manager }: RequestContext): Promise<void> {
    if (principal.type !== 'User') throw invalid('A test mail goes to the calling user, but a service account has no address.');
    const to = await this.recipients.addressOf(manager, principal.id);
    if (to === null) throw invalid('A test mail goes to the calling user, but your account has no e-mail address.');
    this.availability.require();
    await this.mail.send({ to, ...testMessage(this.letterheads.current()) });
  }
}
