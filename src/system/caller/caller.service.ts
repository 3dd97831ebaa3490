import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { mayNameTenant, type Principal, type UserPrincipal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { RecentProof } from '../../access/authentication/sessions/recent-proof.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { Resource } from '../../access/authorization/evaluation/rules.js';
import { permissionCatalog, PermissionScopeKind, type PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import { AgentInstallations } from '../../devices/agent-updates/agent-installations.js';
import { PasskeysService } from '../../people/passkeys/passkeys.service.js';
import { UserPreferencesService } from '../../people/user-preferences/user-preferences.service.js';
import { Accounts, isExternal } from '../../people/users/accounts.js';
import { forbidden, unauthorized } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { ServerVersion } from '../../platform/node/server-version.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { ServerAlertService } from '../server/server-alert.service.js';
import { CallerCredential, type CallerSessionDto, type DevicePermissionsDto } from './caller.dto.js';
import { ServerOffer } from './server-offer.js';

const legalAt = (kind: PermissionScopeKind): readonly PermissionDefinition[] =>
  permissionCatalog.filter(({ scopeKinds }) => scopeKinds.includes(kind));

const ON_SERVER = legalAt(PermissionScopeKind.Server);
const ON_TENANT = legalAt(PermissionScopeKind.Tenant);
const ON_DEVICE = legalAt(PermissionScopeKind.Device);

/** Facts that a page needs before it shows anything: its user, the user's rights, the server's offer. */
@Injectable()
export class CallerService {
  constructor(
    private readonly accounts: Accounts,
    private readonly tenants: TenantsService,
    private readonly authorization: AuthorizationService,
    private readonly proof: RecentProof,
    private readonly preferences: UserPreferencesService,
    private readonly passkeys: PasskeysService,
    private readonly installations: AgentInstallations,
    private readonly offer: ServerOffer,
    private readonly alerts: ServerAlertService,
    private readonly version: ServerVersion,
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Everything at once, for the start of a page; 403 for service accounts. */
  async session(context: RequestContext, request: Request): Promise<CallerSessionDto> {
    const principal = userOf(context.principal);
    const account = await this.accounts.find(context.manager, principal.id);
    if (account === null) throw unauthorized('The account was deleted.');
    const tenant = await this.tenants.get(context, principal.tenantId);
    const alert = await this.alerts.get(context);
    const { enablePublicRegistration, disableDesktopPreview, maxFileTransferSize } = this.settings.appOptions;
    const publicUrl = this.publicUrl.ofCaller(request);
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
      serverPermissions: await this.heldOf(principal, ON_SERVER, { kind: 'Server' }),
      tenantPermissions: await this.heldOf(principal, ON_TENANT, { kind: 'Tenant', tenantId: principal.tenantId }),
      devicePermissions: await this.heldSomewhere(principal, ON_DEVICE),
      features: {
        isPublicRegistrationEnabled: enablePublicRegistration,
        disableDesktopPreview,
        maxFileTransferSize,
        publicUrl,
        agentInstallations: await this.installations.of(publicUrl, tenant.tenantId),
      },
      server: await this.offer.current(),
      preferences: await this.preferences.list(context),
      alert: alert.isEnabled ? alert : null,
      serverVersion: this.version.text,
    };
  }

  /** The device permissions that the caller holds on devices; those that it cannot name are left out. */
  async devicePermissions({ principal }: RequestContext, deviceIds: readonly string[]): Promise<DevicePermissionsDto[]> {
    const items: DevicePermissionsDto[] = [];
    for (const deviceId of new Set(deviceIds)) {
      const device = await this.authorization.device(deviceId);
      if (device === null || !mayNameTenant(principal, device.tenantId)) continue;
      items.push({ deviceId, permissions: await this.heldOf(principal, ON_DEVICE, device) });
    }
    return items;
  }

  private async heldOf(principal: Principal, permissions: readonly PermissionDefinition[], resource: Resource): Promise<string[]> {
    const held: string[] = [];
    for (const permission of permissions) {
      if (await this.authorization.isAllowed(principal, permission, resource)) held.push(permission.name);
    }
    return held;
  }

  private async heldSomewhere(principal: Principal, permissions: readonly PermissionDefinition[]): Promise<string[]> {
    const held: string[] = [];
    for (const permission of permissions) {
      if (await this.authorization.isAllowedSomewhere(principal, permission)) held.push(permission.name);
    }
    return held;
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
