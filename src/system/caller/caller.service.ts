import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { Principal, UserPrincipal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { RecentProof } from '../../access/authentication/sessions/recent-proof.js';
import { PasskeysService } from '../../people/passkeys/passkeys.service.js';
import { UserPreferencesService } from '../../people/user-preferences/user-preferences.service.js';
import { Accounts, isExternal } from '../../people/users/accounts.js';
import { forbidden, unauthorized } from '../../platform/common/errors/errors.js';
import { ServerVersion } from '../../platform/node/server-version.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { ServerAlertService } from '../server/server-alert.service.js';
import { CallerFeatures } from './caller-features.js';
import { CallerCredential, type CallerSessionDto } from './caller.dto.js';
import { HeldPermissions } from './held-permissions.js';
import { ServerOffer } from './server-offer.js';

/** Facts that a page needs before it shows anything: its user, the user's rights, the server's offer. */
@Injectable()
export class CallerService {
  constructor(
    private readonly accounts: Accounts,
    private readonly tenants: TenantsService,
    private readonly permissions: HeldPermissions,
    private readonly proof: RecentProof,
    private readonly preferences: UserPreferencesService,
    private readonly passkeys: PasskeysService,
    private readonly features: CallerFeatures,
    private readonly offer: ServerOffer,
    private readonly alerts: ServerAlertService,
    private readonly version: ServerVersion,
  ) {}

  /** Everything at once, for the start of a page; 403 for service accounts. */
  async session(context: RequestContext, request: Request): Promise<CallerSessionDto> {
    const principal = userOf(context.principal);
    const account = await this.accounts.find(context.manager, principal.id);
    if (account === null) throw unauthorized('The account was deleted.');
    const tenant = await this.tenants.get(context, principal.tenantId);
    const alert = await this.alerts.get(context);
    return {
      user: {
        id: account.id,
        userName: account.userName,
        email: account.email,
        isEmailConfirmed: account.emailConfirmed,
        isTwoFactorEnabled: account.twoFactorEnabled,
        hasPassword: account.passwordHash !== null,
        hasPasskey: await this.passkeys.hasAny(context.manager, account.id),
        mustChangePassword: principal.mustChangePassword,
        isExternal: isExternal(account),
      },
      // Tenants that people registered have no name yet.
      tenant: { id: tenant.tenantId, name: tenant.tenantName === '' ? null : tenant.tenantName },
      ...this.credentialOf(principal),
      serverPermissions: await this.permissions.onServer(principal),
      tenantPermissions: await this.permissions.onTenant(principal, principal.tenantId),
      devicePermissions: await this.permissions.onAnyDevice(principal),
      features: await this.features.of(request, tenant.tenantId),
      server: await this.offer.current(),
      preferences: await this.preferences.list(context),
      alert: alert.isEnabled ? alert : null,
      serverVersion: this.version.text,
    };
  }

  private credentialOf(principal: UserPrincipal): Pick<CallerSessionDto, 'credential' | 'deviceId' | 'provenUntil'> {
    const { credential } = principal;
    const provenUntil = this.proof.until(principal);
    switch (credential.type) {
      case 'Session': {
        return { credential: CallerCredential.Session, deviceId: null, provenUntil };
      }
      case 'LogonToken':
        return { credential: CallerCredential.LogonToken, deviceId: credential.deviceId, provenUntil: null };
      case 'Bearer':
        return { credential: CallerCredential.Bearer, deviceId: null, provenUntil };
      case 'PersonalAccessToken':
        return { credential: CallerCredential.PersonalAccessToken, deviceId: null, provenUntil: null };
    }
  }
}

function userOf(principal: Principal): UserPrincipal {
  if (principal.type !== 'User') throw forbidden('Only users can do this: a service account has no user record.');
  return principal;
}
