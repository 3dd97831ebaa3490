import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { idOf, type Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext, TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { inBatches } from '../../platform/common/concurrency/in-batches.js';
import { forbidden, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { limitsOf, logStateOf, type KeyLimits } from './installer-key-rules.js';
import type { CreateInstallerKeyResponseDto, InstallerKeyDto, InstallerKeyUsageDto } from './installer-key.dto.js';
import { InstallerKey, InstallerKeyCreatorKind } from './installer-key.entity.js';
import { InstallerKeysRepository } from './installer-keys.repository.js';

/** The keys that a caller may see and change. */
interface Reach {
  /** Null for all keys of the tenant, otherwise those of this creator. */
  readonly creatorId: string | null;
}

const KEY = 'The installer key';
/** Records of use that one statement removes. */
const REMOVAL_BATCH = 5_000;

/**
 * The installer keys of a tenant, with which agents register devices.
 *
 * A key that is expired or has no uses left is no longer listed, but its row stays, so that the record of its uses can be read. The
 * row is deleted with the record when the key is presented once more, or by a caller.
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

  /** The usable keys that the caller may see. */
  async list(context: TenantContext): Promise<Pages<InstallerKeyDto>> {
    const { tenantId } = context;
    const { creatorId } = await this.reachOf(context);
    return this.repository.list(context.manager, { tenantId, creatorId, now: this.clock.now(), usagesSince: this.usagesSince() });
  }

  /** Creates a key that belongs to the caller. Its secret is in this answer only. */
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
      await this.log(tx, 'installer-key-created', key, { after: logStateOf(key) });
      const { id, creatorId, keyType, createdAt, allowedUses, expiration, friendlyName } = key;
      return { id, creatorId, keyType, keySecret, createdAt, allowedUses, expiration, friendlyName };
    });
  }

  /** The recorded uses of a key. */
  async usages(context: TenantContext, id: string): Promise<Pages<InstallerKeyUsageDto>> {
    await this.require(context, id);
    return this.repository.usages(context.manager, context.tenantId, id, this.usagesSince());
  }

  /** Checks that the caller may see a key: 404 when there is none, 403 when it is another creator's. */
  async require(context: TenantContext, id: string): Promise<void> {
    const reach = await this.reachOf(context);
    requireWithin(reach, await context.manager.findOne(InstallerKey, { where: { id, tenantId: context.tenantId } }));
  }

  /** The same, and the key stays as it is until the transaction ends. */
  async hold(tx: InTransaction<TenantContext>, id: string): Promise<InstallerKey> {
    const where = { id, tenantId: tx.tenantId };
    const key = await tx.manager.findOne(InstallerKey, { where, lock: { mode: 'pessimistic_write' } });
    return requireWithin(await this.reachOf(tx), key);
  }

  /** Renames a key. */
  async rename(context: TenantContext, id: string, friendlyName: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const key = await this.hold(tx, id);
      await tx.manager.update(InstallerKey, { id }, { friendlyName });
      await this.log(tx, 'installer-key-updated', key, {
        before: logStateOf(key),
        after: { ...logStateOf(key), friendlyName },
      });
    });
  }

  /** Deletes a key with the record of its uses. Devices that it registered stay. */
  async remove(context: TenantContext, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const key = await this.hold(tx, id);
      await tx.manager.delete(InstallerKey, { id });
      await this.log(tx, 'installer-key-deleted', key, { before: logStateOf(key) });
    });
  }

  /** Removes records of use that are older than `AgentInstallerKeyHistoryDays` (0 or less keeps all), and returns how many. */
  async purgeUsages(manager: EntityManager, signal: AbortSignal): Promise<number> {
    const since = this.usagesSince();
    if (since === null) return 0;
    return inBatches(signal, () => this.repository.removeUsages(manager, since, REMOVAL_BATCH));
  }

  private async reachOf({ principal, tenantId, manager }: TenantContext): Promise<Reach> {
    const rights = this.authorization.storedRights(manager);
    const managesAll = await rights.isAllowed(principal, Permission.InstallerKeyManageAll, { kind: 'Tenant', tenantId });
    return { creatorId: managesAll ? null : idOf(principal) };
  }

  private usagesSince(): Date | null {
    const days = this.settings.appOptions.agentInstallerKeyHistoryDays;
    return days <= 0 ? null : this.clock.daysAgo(days);
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    { id, tenantId }: InstallerKey,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.InstallerKey, targetId: id, tenantId, ...states });
  }
}

/** Returns the key; 404 when there is none, 403 when it is another creator's and the caller lacks `installer-key.manage-all`. */
function requireWithin({ creatorId }: Reach, key: InstallerKey | null): InstallerKey {
  if (key === null) throw notFound(KEY);
  if (creatorId === null || key.creatorId === creatorId) return key;
  throw forbidden(`Someone else created this installer key: the permission ${Permission.InstallerKeyManageAll.name} is required.`);
}

function creatorOf(principal: Principal): Pick<InstallerKey, 'creatorId' | 'creatorKind' | 'creatorTokenId'> {
  if (principal.type === 'System') throw new Error('The service itself creates no installer keys.');
  const credential = principal.type === 'User' ? principal.credential : null;
  const isRestricted = credential?.type === 'PersonalAccessToken' && credential.mode === 'Restricted';
  return {
    creatorId: principal.id,
    creatorKind: InstallerKeyCreatorKind[principal.type],
    creatorTokenId: isRestricted ? credential.id : null,
  };
}
