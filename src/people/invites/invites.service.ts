import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext, TenantContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import type { PermissionPreset } from '../../access/authorization/permissions/permission-presets.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { inviteUrl } from '../../platform/common/addresses/invite-page.js';
import { conflict, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { hashSecret, newSecret, secretMatches } from '../../platform/common/identifiers/secret.js';
import { mapPages, type Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Accounts, type Account } from '../users/accounts.js';
import { isEmailAddress } from '../users/user-name.js';
import { UsersService } from '../users/users.service.js';
import { expiryOf, isActivatable } from './activation-code.js';
import { InviteCare } from './invite-care.js';
import { InviteMails } from './invite-mails.js';
import { stateOf } from './invite-state.js';
import type { InviteResponseDto } from './invite.dto.js';
import { Invite } from './invite.entity.js';
import { InvitesRepository, type ListedInvite } from './invites.repository.js';

/** Code and e-mail address with which an invite is accepted. */
export interface PresentedInvite {
  readonly code: string;
  readonly email: string;
}

/** Details of an invite that the invited person is shown. */
export interface Invitation {
  readonly inviteeEmail: string;
  /** Null when it was no person. */
  readonly inviterName: string | null;
  readonly tenantName: string | null;
  readonly expiresAt: Date;
}

/** An account to be made, with the invite that it waits for. */
export interface NewInvite {
  /** Trimmed and lower case. */
  readonly address: string;
  readonly code: string;
  readonly inviterName: string | null;
  readonly presets: readonly PermissionPreset[];
}

type Tx = InTransaction<TenantContext>;

const INVITE = 'The invite';
/** The value with which the code of a missing invite is compared. */
const NO_CODE = Buffer.alloc(32);
const PENDING = 'An invitation for this address is already pending.';
const UNIQUE_ADDRESS = { uq_invites_invitee_email: PENDING };

/** Invites: each has an account that waits for its owner, and a code with which the owner activates it. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: InvitesRepository,
    private readonly users: UsersService,
    private readonly accounts: Accounts,
    private readonly mails: InviteMails,
    private readonly care: InviteCare,
    private readonly securityLog: SecurityLog,
    private readonly administrators: Administrators,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The invites of the tenant, newest first, without their activation codes. */
  list({ tenantId, manager }: TenantContext, publicAddress: string): Pages<InviteResponseDto> {
    return mapPages(this.repository.list(manager, tenantId), (invite) => describe(invite, publicAddress, null));
  }

  /**
   * Invites a person and creates the account, which cannot sign in before the invite is accepted. An expired invite of the tenant for
   * the same address is renewed, for which the caller has to hold everything that the invited user holds. The answer is the only one with the activation code. 409 when another account or a pending invite has
   * the address.
   */
  async create(context: TenantContext, inviteeEmail: string, publicAddress: string): Promise<InviteResponseDto> {
    const address = addressIn('inviteeEmail', inviteeEmail);
    const code = newSecret();
    const inviterName = await this.mails.inviterNameOf(context);
    const invite = await this.unitOfWork.run(
      context,
      async (tx) => {
        const made =
          (await this.renewed(tx, address, code, inviterName)) ?? (await this.add(tx, { address, code, inviterName, presets: [] }));
        if (made === null) throw conflict('A user with this e-mail address already exists.');
        return made;
      },
      UNIQUE_ADDRESS,
    );
    await this.mails.send(context, invite, code);
    return describe(invite, publicAddress, code);
  }

  /**
   * Creates an account with presets, and the invite that it waits for. Null when an account has the address. The caller must already be
   * allowed to grant the presets, and mails the code.
   */
  async add(tx: Tx, { address, code, inviterName, presets }: NewInvite): Promise<Invite | null> {
    const user = await this.users.add(tx, { email: address, passwordHash: null, presets });
    if (user === null) return null;
    const invite = tx.manager.create(Invite, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: tx.tenantId,
      inviteeEmail: address,
      userId: user.id,
      inviterName,
      hashedActivationCode: hashSecret(code),
    });
    await tx.manager.insert(Invite, invite);
    await this.log(tx, 'invite-created', invite, { after: stateOf(invite) });
    return invite;
  }

  /** Checks that an account waits for its owner to accept an invite, which may have expired. */
  isInvited(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.existsBy(Invite, { userId });
  }

  /** Returns the inviter and the tenant, by the code of the link; 404 for a code that does not work (any more). */
  async look(context: RequestContext, code: string): Promise<Invitation> {
    const invite = await context.manager.findOneBy(Invite, { hashedActivationCode: hashSecret(code) });
    if (invite === null || !this.isValid(invite, code)) throw notFound(INVITE);
    const { inviteeEmail, inviterName } = invite;
    return { inviteeEmail, inviterName, tenantName: await this.mails.tenantNameOf(context, invite), expiresAt: expiryOf(invite) };
  }

  /** Checks that there is an invite for the address that the code opens. */
  async canBeAccepted(manager: EntityManager, { code, email }: PresentedInvite): Promise<boolean> {
    const invite = await manager.findOneBy(Invite, { inviteeEmail: email.trim().toLowerCase() });
    return this.isValid(invite, code) && (await this.accounts.find(manager, invite.userId)) !== null;
  }

  /**
   * Accepts an invite: its account gets the password, and is the user's from now on. Returns the account's id and new stamp; null for a
   * code that does not work. Of parallel calls one succeeds.
   */
  async accept(
    context: RequestContext,
    presented: PresentedInvite,
    passwordHash: string,
    origin: SecurityOrigin,
  ): Promise<Pick<Account, 'id' | 'securityStamp'> | null> {
    return this.unitOfWork.run(context, async (tx) => {
      const inviteeEmail = presented.email.trim().toLowerCase();
      const invite = await tx.manager.findOne(Invite, { where: { inviteeEmail }, lock: { mode: 'pessimistic_write' } });
      if (invite === null || !this.isValid(invite, presented.code)) return null;
      const account = await this.accounts.lock(tx, invite.userId);
      await tx.manager.delete(Invite, { id: invite.id });
      await this.log(tx, 'invite-accepted', invite, { before: stateOf(invite) });
      await this.accounts.confirmEmail(tx, account);
      const securityStamp = await this.accounts.setPassword(tx, account, passwordHash);
      await this.securityLog.write(tx.manager, { user: account, kind: 'InviteAccepted' }, origin);
      return { id: account.id, securityStamp };
    });
  }

  /** Withdraws an invite and deletes the account that was created for it. */
  async remove(context: TenantContext, id: string): Promise<void> {
    await this.administrators.keeping(context, { tenantId: context.tenantId }, async (tx) => {
      const invite = await tx.manager.findOne(Invite, { where: { id, tenantId: tx.tenantId }, lock: { mode: 'pessimistic_write' } });
      if (invite === null) throw notFound(INVITE);
      await this.removeLocked(tx, invite);
    });
  }

  /** Withdraws the invite for an address, if the tenant has one. Its account cannot sign in yet, so it is no administrator to keep. */
  async withdraw(tx: Tx, address: string): Promise<void> {
    const where = { inviteeEmail: address, tenantId: tx.tenantId };
    const invite = await tx.manager.findOne(Invite, { where, lock: { mode: 'pessimistic_write' } });
    if (invite !== null) await this.removeLocked(tx, invite);
  }

  private async removeLocked(tx: Tx, invite: Invite): Promise<void> {
    await tx.manager.delete(Invite, { id: invite.id });
    await this.log(tx, 'invite-deleted', invite, { before: stateOf(invite) });
    await this.users.removeIn(tx, invite.userId);
  }

  /** Checks that the code is that of the invite, compared in constant time, and not too old. */
  private isValid(invite: Invite | null, code: string): invite is Invite {
    const matches = secretMatches(code, invite?.hashedActivationCode ?? NO_CODE);
    return invite !== null && matches && isActivatable(invite, this.clock.milliseconds());
  }

  /** Renews the tenant's expired invite for the address with a new code; null when there is none. */
  private async renewed(tx: Tx, inviteeEmail: string, code: string, inviterName: string | null): Promise<Invite | null> {
    const invite = await tx.manager.findOne(Invite, { where: { inviteeEmail }, lock: { mode: 'pessimistic_write' } });
    if (invite === null) return null;
    if (invite.tenantId !== tx.tenantId || isActivatable(invite, this.clock.milliseconds())) throw conflict(PENDING);
    await this.care.renew(tx, invite, { code, inviterName, expiresAt: null });
    return invite;
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    invite: Invite,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Invite, targetId: invite.id, tenantId: invite.tenantId, ...states });
  }
}

/** The address of an invited person, trimmed and in lower case; 400 at `field` for a text that is none. */
export function addressIn(field: string, text: string): string {
  const address = text.trim().toLowerCase();
  if (!isEmailAddress(address)) throw invalidField(field, `${field} must be an e-mail address of letters, digits and - . _ @ +.`);
  return address;
}

function describe({ id, createdAt, inviteeEmail }: ListedInvite, publicAddress: string, code: string | null): InviteResponseDto {
  return { id, createdAt, inviteeEmail, inviteUrl: inviteUrl(publicAddress, code) };
}
