import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager } from 'typeorm';

import { idOf, type Principal } from '../authentication/principal.js';
import type { RequestContext, TenantContext } from '../authentication/request-context.js';
import { AuthorizationService } from '../authorization/authorization.service.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { Permission } from '../authorization/permission.js';
import { Clock } from '../common/clock.js';
import { forbidden, notFound } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { hashSecret, newSecret, secretMatches } from '../common/secret.js';
import { Settings } from '../config/settings.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { KeyState, limitsOf, stateOf, type KeyLimits } from './installer-key-rules.js';
import type { CreateInstallerKeyResponseDto, InstallerKeyDto, InstallerKeyUsageDto } from './installer-key.dto.js';
import { InstallerKey, InstallerKeyCreatorKind, InstallerKeyUsage } from './installer-key.entity.js';
import { InstallerKeysRepository } from './installer-keys.repository.js';

/** Whose key was shown, for those who decide what it may do. */
export interface KeyOwner {
  readonly id: string;
  readonly tenantId: string;
  readonly creatorId: string;
  readonly creatorKind: `${InstallerKeyCreatorKind}`;
}

/** Whose keys a caller reaches. */
interface Reach {
  /** Null: everybody's in the tenant. */
  readonly creatorId: string | null;
}

const KEY = 'The installer key';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Compared with when there is no such key, so that an unknown id takes as long as a wrong secret. */
const NO_SECRET = hashSecret('');

/**
 * Installer keys: what agents register with (specification, part Installer key).
 *
 * A key that has spent its last use disappears from lists but keeps its row, so that what it was used for stays readable;
 * its row and usages go when somebody shows the expired or exhausted key again, or when the key is deleted.
 */
@Injectable()
export class InstallerKeysService {
  constructor(
    private readonly repository: InstallerKeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly authorization: AuthorizationService,
    private readonly tenants: TenantsService,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** The keys that the caller may see and that are still good. */
  async list(context: TenantContext): Promise<InstallerKeyDto[]> {
    const { tenantId } = context;
    const { creatorId } = await this.reachOf(context);
    return this.repository.list(context.manager, { tenantId, creatorId, now: this.clock.now(), usagesSince: this.usagesSince() });
  }

  /** Creates a key of the caller's; the answer is the only place where its secret ever stands. */
  async create(context: TenantContext, asked: KeyLimits & Pick<InstallerKey, 'friendlyName'>): Promise<CreateInstallerKeyResponseDto> {
    const limits = limitsOf(asked, this.clock.milliseconds());
    const creator = creatorOf(context.principal);
    const keySecret = newSecret();
    return this.unitOfWork.run(context, async (tx) => {
      await this.tenants.hold(tx, tx.tenantId);
      const key = tx.manager.create(InstallerKey, {
        id: newGuid(),
        createdAt: this.clock.now(),
        tenantId: context.tenantId,
        ...creator,
        ...limits,
        friendlyName: asked.friendlyName,
        hashedSecret: hashSecret(keySecret),
        usageCount: 0,
      });
      await tx.manager.insert(InstallerKey, key);
      await this.log(tx, 'installer-key-created', key, { after: stateForLog(key) });
      const { id, creatorId, keyType, createdAt, allowedUses, expiration, friendlyName } = key;
      return { id, creatorId, keyType, keySecret, createdAt, allowedUses, expiration, friendlyName };
    });
  }

  /** What a key was used for, as far back as the history reaches. */
  async usages(context: TenantContext, id: string): Promise<InstallerKeyUsageDto[]> {
    const reach = await this.reachOf(context);
    requireWithin(reach, await context.manager.findOne(InstallerKey, { where: { id, tenantId: context.tenantId } }));
    return this.repository.usages(context.manager, context.tenantId, id, this.usagesSince());
  }

  /** Renames a key. */
  async rename(context: TenantContext, id: string, friendlyName: string): Promise<void> {
    const reach = await this.reachOf(context);
    await this.unitOfWork.run(context, async (tx) => {
      const key = await this.lock(tx, reach, id);
      await tx.manager.update(InstallerKey, { id }, { friendlyName });
      await this.log(tx, 'installer-key-updated', key, {
        before: stateForLog(key),
        after: { ...stateForLog(key), friendlyName },
      });
    });
  }

  /** Deletes a key with the record of its uses; devices that it registered stay. */
  async remove(context: TenantContext, id: string): Promise<void> {
    const reach = await this.reachOf(context);
    await this.unitOfWork.run(context, async (tx) => {
      const key = await this.lock(tx, reach, id);
      await tx.manager.delete(InstallerKey, { id });
      await this.log(tx, 'installer-key-deleted', key, { before: stateForLog(key) });
    });
  }

  /**
   * Whose key this is, when the secret is right and the key is good; null otherwise, whatever the reason. Nothing is
   * consumed. A key that is shown after it expired or was exhausted is deleted.
   */
  async check(context: RequestContext, id: string, secret: string): Promise<KeyOwner | null> {
    const key = await this.presented(context.manager, id, secret);
    if (key === null) return null;
    const state = stateOf(key, this.clock.milliseconds());
    if (state === KeyState.Usable) return key;
    await this.unitOfWork.run(context, async (tx) => {
      const { affected } = await tx.manager.delete(InstallerKey, { id });
      if (affected === 0) return;
      const action = state === KeyState.Expired ? 'installer-key-expired' : 'installer-key-exhausted';
      await this.log(tx, action, key, { before: stateForLog(key) });
    });
    return null;
  }

  /**
   * Uses a key for a registration, in its transaction. The row is locked until the commit, so that parallel registrations
   * never exceed the allowed uses. False when the key is not good (any more).
   */
  async consume(tx: InTransaction<RequestContext>, id: string, secret: string, deviceId: string, address: string | null): Promise<boolean> {
    const key = await tx.manager.findOne(InstallerKey, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (key === null || !secretMatches(secret, key.hashedSecret)) return false;
    if (stateOf(key, this.clock.milliseconds()) !== KeyState.Usable) return false;
    await tx.manager.update(InstallerKey, { id }, { usageCount: key.usageCount + 1 });
    await tx.manager.insert(InstallerKeyUsage, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: key.tenantId,
      installerKeyId: id,
      deviceId,
      remoteIpAddress: address,
    });
    return true;
  }

  /** Removes records of use that are older than the history (`AgentInstallerKeyHistoryDays`) and says how many. */
  async purgeUsages(manager: EntityManager): Promise<number> {
    const since = this.usagesSince();
    if (since === null) return 0;
    return (await manager.delete(InstallerKeyUsage, { createdAt: LessThan(since) })).affected ?? 0;
  }

  private async presented(manager: EntityManager, id: string, secret: string): Promise<InstallerKey | null> {
    const key = await manager.findOne(InstallerKey, { where: { id } });
    return secretMatches(secret, key?.hashedSecret ?? NO_SECRET) ? key : null;
  }

  private async lock(tx: InTransaction<TenantContext>, reach: Reach, id: string): Promise<InstallerKey> {
    const where = { id, tenantId: tx.tenantId };
    return requireWithin(reach, await tx.manager.findOne(InstallerKey, { where, lock: { mode: 'pessimistic_write' } }));
  }

  /** Looked up before a transaction starts: a decision may need a connection of its own. */
  private async reachOf({ principal, tenantId }: TenantContext): Promise<Reach> {
    const managesAll = await this.authorization.isAllowed(principal, Permission.InstallerKeyManageAll, { kind: 'Tenant', tenantId });
    return { creatorId: managesAll ? null : idOf(principal) };
  }

  private usagesSince(): Date | null {
    const days = this.settings.appOptions.agentInstallerKeyHistoryDays;
    return days <= 0 ? null : new Date(this.clock.milliseconds() - days * DAY_MS);
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    key: KeyOwner,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.InstallerKey, targetId: key.id, tenantId: key.tenantId, ...states });
  }
}

/** Keys of others are reached with `installer-key.manage-all` only. */
function requireWithin({ creatorId }: Reach, key: InstallerKey | null): InstallerKey {
  if (key === null) throw notFound(KEY);
  if (creatorId === null || key.creatorId === creatorId) return key;
  throw forbidden(`The installer key was made by somebody else: the permission ${Permission.InstallerKeyManageAll.name} is required.`);
}

function creatorOf(principal: Principal): Pick<InstallerKey, 'creatorId' | 'creatorKind'> {
  if (principal.type === 'System') throw new Error('The service itself creates no installer keys.');
  return { creatorId: principal.id, creatorKind: InstallerKeyCreatorKind[principal.type] };
}

function stateForLog({ friendlyName, keyType, allowedUses, expiration }: KeyLimits & Pick<InstallerKey, 'friendlyName'>): object {
  return { friendlyName, keyType, allowedUses, expiration };
}
