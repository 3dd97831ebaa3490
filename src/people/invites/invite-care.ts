import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { inviteUrl } from '../../platform/common/addresses/invite-page.js';
import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import { hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { DAY_MS, expiryOf, INVITE_LIFETIME_MS } from './activation-code.js';
import { stateOf } from './invite-state.js';
import { InviteMails } from './invite-mails.js';
import { Invite } from './invite.entity.js';

/** A link that takes the place of the former one of an invite. */
export interface RenewedInvite {
  readonly inviteUrl: string;
  readonly expiresAt: Date;
  readonly isMailSent: boolean;
}

type Tx = InTransaction<TenantContext>;

/** Longest time until an invite expires, in days. */
export const MAXIMUM_LIFETIME_DAYS = 30;
const TAKES_OVER = 'The link of an invite sets the password of its account, so it lets you act as that user.';

/** Looks after open invites: makes new links and changes when they expire. */
@Injectable()
export class InviteCare {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly mails: InviteMails,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives an invite a new link, which is mailed again, and ends the former one. The caller could accept the invite with it, so it must hold
   * everything that the invited user holds. 404 unless the tenant has the invite.
   */
  async resend(context: TenantContext, id: string, publicAddress: string, lifetimeDays: number | null): Promise<RenewedInvite> {
    const code = newSecret();
    const inviterName = await this.mails.inviterNameOf(context);
    const lifetime = lifetimeDays === null ? INVITE_LIFETIME_MS : lifetimeDays * DAY_MS;
    const expiresAt = new Date(this.clock.milliseconds() + lifetime);
    const invite = await this.unitOfWork.run(context, async (tx) => {
      const locked = await this.lock(tx, id);
      await this.renew(tx, locked, { code, inviterName, expiresAt });
      return locked;
    });
    const isMailSent = await this.mails.send(context, invite, code);
    return { inviteUrl: inviteUrl(publicAddress, code), expiresAt, isMailSent };
  }

  /**
   * Changes when an invite expires; its link stays. 400 at `expiresAt` for a time that has passed or is too far away. 403 for a later time
   * unless the caller holds everything that the invited user holds: the maker of the invite knows the link.
   */
  async setExpiry(context: TenantContext, id: string, expiresAt: Date): Promise<void> {
    const inMs = expiresAt.getTime() - this.clock.milliseconds();
    if (inMs <= 0) throw invalidField('expiresAt', 'expiresAt must be in the future. To end an invite, withdraw it.');
    if (inMs > MAXIMUM_LIFETIME_DAYS * DAY_MS)
      throw invalidField('expiresAt', `expiresAt must be within the next ${MAXIMUM_LIFETIME_DAYS} days.`);
    await this.unitOfWork.run(context, async (tx) => {
      const invite = await this.lock(tx, id);
      const before = { expiresAt: expiryOf(invite) };
      if (expiresAt > before.expiresAt) await this.requireAllRightsOf(tx, invite);
      await tx.manager.update(Invite, { id }, { expiresAt });
      await this.log(tx, 'invite-expiry-changed', invite, { before, after: { expiresAt } });
    });
  }

  /** Gives a locked invite a new code. 403 unless the caller holds everything that the invited user holds. */
  async renew(
    tx: Tx,
    invite: Invite,
    { code, inviterName, expiresAt }: { readonly code: string; readonly inviterName: string | null; readonly expiresAt: Date | null },
  ): Promise<void> {
    await this.requireAllRightsOf(tx, invite);
    const before = stateOf(invite);
    const renewed = { createdAt: this.clock.now(), inviterName, hashedActivationCode: hashSecret(code), expiresAt };
    Object.assign(invite, renewed);
    await tx.manager.update(Invite, { id: invite.id }, renewed);
    await this.log(tx, 'invite-renewed', invite, { before, after: stateOf(invite) });
  }

  private requireAllRightsOf(tx: Tx, { userId, tenantId }: Invite): Promise<void> {
    return this.escalation.requireAllRightsOf(tx, { kind: PermissionPrincipalKind.User, id: userId, tenantId }, TAKES_OVER);
  }

  private async lock(tx: Tx, id: string): Promise<Invite> {
    const invite = await tx.manager.findOne(Invite, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
    if (invite === null) throw notFound('The invite');
    return invite;
  }

  private log(tx: Tx, action: string, invite: Invite, states: { readonly before: object; readonly after: object }): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Invite, targetId: invite.id, tenantId: invite.tenantId, ...states });
  }
}
