import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { AccountMails } from '../mail/account-mails.js';
import { MailAvailability } from '../mail/mail-availability.js';
import { UsersService } from '../users/users.service.js';
import { expiryOf } from './activation-code.js';
import type { Invite } from './invite.entity.js';

/** The mails of invitations, with the inviter, the tenant and the expiry. */
@Injectable()
export class InviteMails {
  constructor(
    private readonly users: UsersService,
    private readonly tenants: TenantsService,
    private readonly mails: AccountMails,
    private readonly availability: MailAvailability,
  ) {}

  /** The name of the inviter as the invited person is told; null for programs. */
  async inviterNameOf({ principal, manager }: RequestContext): Promise<string | null> {
    return principal.type === 'User' ? this.users.shownNameOf(manager, principal.id) : null;
  }

  /** The name of the tenant that an invite leads to; null when it has none. */
  async tenantNameOf(context: RequestContext, { tenantId }: Pick<Invite, 'tenantId'>): Promise<string | null> {
    const { tenantName } = await this.tenants.get(context, tenantId);
    return tenantName === '' ? null : tenantName;
  }

  /** Sends the mail with the link of an invite, and returns whether this server sends mail. */
  async send(context: RequestContext, invite: Invite, activationCode: string): Promise<boolean> {
    const tenantName = await this.tenantNameOf(context, invite);
    const letter = { inviter: invite.inviterName, tenantName, activationCode, validUntil: expiryOf(invite) };
    this.mails.invitation(invite.inviteeEmail, letter);
    return this.availability.obstacle === null;
  }
}
