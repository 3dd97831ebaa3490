import { Injectable } from '@nestjs/common';

import type { RequestContext, TenantContext } from '../../access/authentication/principals/request-context.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { TENANT_ADMINISTRATOR } from '../../access/authorization/permissions/permission-presets.js';
import { conflict, invalidField } from '../../platform/common/errors/errors.js';
import { newSecret } from '../../platform/common/identifiers/secret.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { inviteUrl } from '../../platform/common/addresses/invite-page.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { requirePresetRights } from '../users/preset-authority.js';
import { expiryOf } from './activation-code.js';
import type {
  AdministratorInvitationDto,
  FoundedTenantDto,
  FoundTenantRequestDto,
  UnattendedTenantDto,
} from './first-administrators.dto.js';
import { FirstAdministratorsRepository } from './first-administrators.repository.js';
import { InviteMails } from './invite-mails.js';
import type { Invite } from './invite.entity.js';
import { addressIn, InvitesService } from './invites.service.js';

/** An invitation that is made in the transaction, and mailed after it. */
interface Draft {
  readonly address: string;
  /** Name of the address in the request. */
  readonly field: string;
  readonly code: string;
  readonly inviterName: string | null;
}

const TAKEN = 'An account with this e-mail address already exists. Use another address.';
const ATTENDED = 'The tenant has users. They invite others: ask one of its administrators.';

/**
 * Gives tenants their first administrator. Those who manage tenants cannot act in them, so this is the only way in, and it ends once
 * a person in the tenant can sign in.
 */
@Injectable()
export class FirstAdministrators {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: FirstAdministratorsRepository,
    private readonly tenants: TenantsService,
    private readonly invites: InvitesService,
    private readonly mails: InviteMails,
    private readonly authorization: AuthorizationService,
  ) {}

  /** The tenants in which nobody can sign in yet. */
  unattended({ manager }: RequestContext): Pages<UnattendedTenantDto> {
    return this.repository.list(manager);
  }

  /**
   * Creates a tenant together with the invitation of its administrator, or neither: 400 at `administrator.email` when an account has the
   * address, 403 unless the caller may grant the preset.
   */
  async found(context: RequestContext, { name, administrator }: FoundTenantRequestDto, publicAddress: string): Promise<FoundedTenantDto> {
    const draft = administrator === null ? null : await this.draft(context, 'administrator.email', administrator.email);
    const { tenant, invite } = await this.unitOfWork.run(context, async (tx) => {
      const created = await this.tenants.create(tx, name);
      return { tenant: created, invite: draft === null ? null : await this.invite({ ...tx, tenantId: created.tenantId }, draft) };
    });
    return { ...tenant, invitation: draft === null || invite === null ? null : await this.send(context, invite, draft, publicAddress) };
  }

  /**
   * Invites an administrator into a tenant in which nobody can sign in yet. An open invitation of the tenant for the same address ends.
   * 404 for an unknown tenant, 409 for one with users.
   */
  async inviteTo(context: RequestContext, tenantId: string, email: string, publicAddress: string): Promise<AdministratorInvitationDto> {
    const draft = await this.draft(context, 'email', email);
    const invite = await this.unitOfWork.run({ ...context, tenantId }, async (tx) => {
      await this.tenants.hold(tx, tenantId);
      if (!(await this.repository.isUnattended(tx.manager, tenantId))) throw conflict(ATTENDED);
      await this.invites.withdraw(tx, draft.address);
      return this.invite(tx, draft);
    });
    return this.send(context, invite, draft, publicAddress);
  }

  private async draft(context: RequestContext, field: string, email: string): Promise<Draft> {
    return { address: addressIn(field, email), field, code: newSecret(), inviterName: await this.mails.inviterNameOf(context) };
  }

  private async invite(tx: InTransaction<TenantContext>, { field, ...draft }: Draft): Promise<Invite> {
    const presets = [TENANT_ADMINISTRATOR];
    await requirePresetRights(this.authorization.storedRights(tx.manager), tx, presets);
    const invite = await this.invites.add(tx, { ...draft, presets });
    if (invite === null) throw invalidField(field, TAKEN);
    return invite;
  }

  private async send(context: RequestContext, invite: Invite, { code }: Draft, publicAddress: string): Promise<AdministratorInvitationDto> {
    const isMailSent = await this.mails.send(context, invite, code);
    return { email: invite.inviteeEmail, inviteUrl: inviteUrl(publicAddress, code), expiresAt: expiryOf(invite), isMailSent };
  }
}
