import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../authentication/request-context.js';
import { Administrators } from '../authorization/administrators.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { Clock } from '../common/clock.js';
import { conflict, invalidField, notFound } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { mapPages, type Pages } from '../common/pages.js';
import { hashSecret, newSecret } from '../common/secret.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import { isEmailAddress } from '../users/user-name.js';
import { UsersService } from '../users/users.service.js';
import { inviteUrl, isActivatable } from './activation-code.js';
import type { InviteResponseDto } from './invite.dto.js';
import { Invite } from './invite.entity.js';
import { InvitesRepository, type ListedInvite } from './invites.repository.js';

type Tx = InTransaction<TenantContext>;

const INVITE = 'The invite';
const PENDING = 'There is a pending invite for this address already.';
const UNIQUE_ADDRESS = { uq_invites_invitee_email: PENDING };

/** Invites: each has an account that waits for its owner, and a code with which the owner activates it. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: InvitesRepository,
    private readonly users: UsersService,
    private readonly administrators: Administrators,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The invites of the tenant, newest first, without their activation codes. */
  list({ tenantId, manager }: TenantContext, publicAddress: string): Pages<InviteResponseDto> {
    return mapPages(this.repository.list(manager, tenantId), (invite) => describe(invite, publicAddress, null));
  }

  /**
   * Invites a person and creates the account, which cannot sign in before the invite is accepted. An expired invite of
   * the tenant for the same address is renewed. The answer is the only one with the activation code. 409 when another account or a pending invite has the address.
   */
  async create(context: TenantContext, inviteeEmail: string, publicAddress: string): Promise<InviteResponseDto> {
    const address = inviteeEmail.trim().toLowerCase();
    if (!isEmailAddress(address)) {
      throw invalidField('inviteeEmail', 'inviteeEmail must be an e-mail address of letters, digits and - . _ @ +.');
    }
    const code = newSecret();
    const invite = await this.unitOfWork.run(
      context,
      async (tx) => (await this.renewed(tx, address, code)) ?? (await this.made(tx, address, code)),
      UNIQUE_ADDRESS,
    );
    return describe(invite, publicAddress, code);
  }

  /** Withdraws an invite and deletes the account that was created for it. */
  async remove(context: TenantContext, id: string): Promise<void> {
    await this.administrators.keeping(context, { tenantId: context.tenantId }, async (tx) => {
      const invite = await tx.manager.findOne(Invite, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
      if (invite === null) throw notFound(INVITE);
      await tx.manager.delete(Invite, { id });
      await this.log(tx, 'invite-deleted', invite, { before: stateOf(invite) });
      await this.users.removeIn(tx, invite.userId);
    });
  }

  private async made(tx: Tx, inviteeEmail: string, code: string): Promise<Invite> {
    const user = await this.users.add(tx, { email: inviteeEmail, passwordHash: null, presets: [] });
    if (user === null) throw conflict('A user with this e-mail address exists already.');
    const invite = tx.manager.create(Invite, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: tx.tenantId,
      inviteeEmail,
      userId: user.id,
      hashedActivationCode: hashSecret(code),
    });
    await tx.manager.insert(Invite, invite);
    await this.log(tx, 'invite-created', invite, { after: stateOf(invite) });
    return invite;
  }

  /** Renews the tenant's expired invite for the address with a new code; null when there is none. */
  private async renewed(tx: Tx, inviteeEmail: string, code: string): Promise<Invite | null> {
    const invite = await tx.manager.findOne(Invite, { where: { inviteeEmail }, lock: { mode: 'pessimistic_write' } });
    if (invite === null) return null;
    if (invite.tenantId !== tx.tenantId || isActivatable(invite, this.clock.milliseconds())) throw conflict(PENDING);
    const before = stateOf(invite);
    Object.assign(invite, { createdAt: this.clock.now(), hashedActivationCode: hashSecret(code) });
    const { id, createdAt, hashedActivationCode } = invite;
    await tx.manager.update(Invite, { id }, { createdAt, hashedActivationCode });
    await this.log(tx, 'invite-renewed', invite, { before, after: stateOf(invite) });
    return invite;
  }

  private log(tx: Tx, action: string, invite: Invite, states: { readonly before?: object; readonly after?: object }): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Invite, targetId: invite.id, tenantId: invite.tenantId, ...states });
  }
}

function describe({ id, createdAt, inviteeEmail }: ListedInvite, publicAddress: string, code: string | null): InviteResponseDto {
  return { id, createdAt, inviteeEmail, inviteUrl: inviteUrl(publicAddress, code) };
}

function stateOf({ inviteeEmail, userId, createdAt }: Invite): object {
  return { inviteeEmail, userId, createdAt };
}
