import { idOf, tenantOf, type Principal, type TokenMaker } from '../../authentication/principals/principal.js';
import { PermissionPrincipalKind, type PermissionDefinition } from '../permissions/permission.js';
import { deviceScopeCondition, type SqlCondition } from './device-scope.js';
import { evaluate, isUnrestricted, type PrincipalRules } from './evaluator.js';
import { RuleSet, type DeviceResource, type Resource } from './rules.js';

const NO_RULES = new RuleSet([]);

/** Decides about the rights of principals. A subclass reads rules and devices from memory, or in a transaction. */
export abstract class Rights {
  /** The rules of a holder of assignments; those of a user include its groups'. */
  abstract rules(kind: PermissionPrincipalKind, id: string, tenantId: string | null): Promise<RuleSet>;

  /** A device with the objects that contain it, as decisions need it; null when there is none. */
  abstract device(id: string): Promise<DeviceResource | null>;

  /** Checks whether there is a device that meets the condition, which is on the alias `d`. */
  abstract hasDevice(condition: SqlCondition): Promise<boolean>;

  /** Checks whether the principal holds the permission on the resource. */
  async isAllowed(principal: Principal, permission: PermissionDefinition, resource: Resource): Promise<boolean> {
    return evaluate(principal, await this.rulesOf(principal), permission, resource).allowed;
  }

  /**
   * Checks whether the principal is allowed the permission on anything at all, if only on one device. Use it to decide what to offer, never
   * to allow anything: each part may be denied.
   */
  async isAllowedSomewhere(principal: Principal, permission: PermissionDefinition): Promise<boolean> {
    if (isUnrestricted(principal)) return true;
    const { owner, token, maker } = await this.rulesOf(principal);
    if (!maker.every((made) => made.includesAny(permission))) return false;
    // The rules of the user who redeems a logon token only take away.
    const isOwnerAsked = principal.type !== 'User' || principal.credential.type !== 'LogonToken';
    return (!isOwnerAsked || owner.includesAny(permission)) && (token === null || token.includesAny(permission));
  }

  /** The devices on which the principal holds the permission, as SQL on the alias of a `devices` row. */
  async deviceScope(principal: Principal, permission: PermissionDefinition, alias: string, firstParameter = 1): Promise<SqlCondition> {
    const { sql, parameters } = deviceScopeCondition(principal, await this.rulesOf(principal), permission, alias, firstParameter);
    // A principal of a tenant that is being deleted is none any more.
    if (tenantOf(principal) !== null) return { sql, parameters };
    return { sql: `${sql} AND ${alias}.tenant_id NOT IN (SELECT id FROM tenants WHERE deleted_at IS NOT NULL)`, parameters };
  }

  /** Checks whether the principal is a Restricted server account without any assignment, of which every call is refused. */
  async hasNothing(principal: Principal): Promise<boolean> {
    if (principal.type !== 'ServerServiceAccount' || principal.accessMode === 'Unrestricted') return false;
    return (await this.rulesOf(principal)).owner.isEmpty;
  }

  /**
   * Checks whether the principal is a Restricted server account that holds nothing in the tenant. It reads nothing there, not even what
   * needs no permission.
   */
  async hasNothingIn(principal: Principal, tenantId: string): Promise<boolean> {
    if (principal.type !== 'ServerServiceAccount' || principal.accessMode === 'Unrestricted') return false;
    return !(await this.rulesOf(principal)).owner.reachesInto(tenantId);
  }

  /** The rules of a principal and of the token that it signed in with. */
  async rulesOf(principal: Principal): Promise<PrincipalRules> {
    const id = idOf(principal);
    if (id === null || isUnrestricted(principal)) return { owner: NO_RULES, token: null, maker: [] };
    if (principal.type !== 'User')
      return { owner: await this.rules(PermissionPrincipalKind.ServiceAccount, id, tenantOf(principal)), token: null, maker: [] };
    const owner = await this.rules(PermissionPrincipalKind.User, id, principal.tenantId);
    const { credential } = principal;
    if (credential.type === 'LogonToken') {
      const token = await this.rules(PermissionPrincipalKind.LogonToken, credential.id, principal.tenantId);
      return { owner, token, maker: credential.maker === null ? [] : await this.rulesOfMaker(credential.maker) };
    }
    if (credential.type === 'PersonalAccessToken' && credential.mode === 'Restricted') {
      return { owner, token: await this.rules(PermissionPrincipalKind.PersonalAccessToken, credential.id, principal.tenantId), maker: [] };
    }
    return { owner, token: null, maker: [] };
  }

  private async rulesOfMaker({ kind, id, tenantId, isUnrestricted: isFree, restrictedTokenId }: TokenMaker): Promise<RuleSet[]> {
    if (isFree) return [];
    const own = await this.rules(PermissionPrincipalKind[kind], id, tenantId);
    if (restrictedTokenId === null) return [own];
    return [own, await this.rules(PermissionPrincipalKind.PersonalAccessToken, restrictedTokenId, tenantId)];
  }
}
