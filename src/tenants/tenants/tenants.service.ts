import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantRemoval } from './tenant-removal.js';
import type { GetTenantResponseDto, TenantContentsDto, TenantRemovalDto, TenantSummaryDto } from './tenant.dto.js';
import { Tenant } from './tenant.entity.js';
import { TenantsRepository } from './tenants.repository.js';

/** The part of a tenant itself that people can change. What it owns has routes of its own. */
export const tenantState = new TaggedState(({ tenantName }: Pick<GetTenantResponseDto, 'tenantName'>) => ({ tenantName }));

const TENANT = 'The tenant';

/** The tenants of the server. Deleting one deletes everything that it owns except its change log. */
@Injectable()
export class TenantsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: TenantsRepository,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly removal: TenantRemoval,
  ) {}

  /** All tenants by name. */
  list({ manager }: RequestContext): Pages<TenantSummaryDto> {
    return this.repository.list(manager);
  }

  /** The deleted tenants whose rows are still being removed. */
  removals({ manager }: RequestContext): Pages<TenantRemovalDto> {
    return this.repository.removals(manager);
  }

  /** One tenant. */
  async get(context: RequestContext, id: string): Promise<GetTenantResponseDto> {
    const tenant = await context.manager.findOne(Tenant, { where: { id } });
    if (tenant === null) throw notFound(TENANT);
    return describe(tenant);
  }

  /** Counts what is deleted with a tenant; 404 when it does not exist. */
  async contents(context: RequestContext, id: string): Promise<TenantContentsDto> {
    await this.get(context, id);
    return { deviceCount: await this.repository.deviceCount(context.manager, id) };
  }

  /** Locks a tenant until the transaction ends, so that rows for it can be written; 404 when it does not exist. */
  async hold(tx: InTransaction<RequestContext>, id: string): Promise<void> {
    if ((await tx.manager.findOne(Tenant, { where: { id }, lock: { mode: 'for_key_share' } })) === null) throw notFound(TENANT);
  }

  /** The only tenant of the server; `'none'` or `'several'` if there is not exactly one. */
  async soleTenant(context: RequestContext): Promise<Tenant | 'none' | 'several'> {
    const [first, second] = await context.manager.find(Tenant, { take: 2 });
    if (first === undefined) return 'none';
    return second === undefined ? first : 'several';
  }

  /** Creates a tenant without users or assignments; null for one that its first user will name. */
  async create(context: RequestContext, name: string | null): Promise<GetTenantResponseDto> {
    return this.unitOfWork.run(context, async (tx) => {
      const tenant = tx.manager.create(Tenant, { id: newGuid(), name, createdAt: this.clock.now() });
      await tx.manager.insert(Tenant, tenant);
      await this.changeLog.write(tx, {
        action: 'tenant-created',
        target: ChangeTarget.Tenant,
        targetId: tenant.id,
        tenantId: tenant.id,
        after: { name },
      });
      return describe(tenant);
    });
  }

  /** Renames a tenant. 412 when it is in no expected state. */
  async rename(context: RequestContext, id: string, name: string, expected?: ExpectedTags): Promise<GetTenantResponseDto> {
    return this.unitOfWork.run(context, async (tx) => {
      const tenant = await tx.manager.findOne(Tenant, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (tenant === null) throw notFound(TENANT);
      tenantState.require(expected, describe(tenant));
      const before = { name: tenant.name };
      tenant.name = name;
      await tx.manager.update(Tenant, { id }, { name });
      await this.changeLog.write(tx, {
        action: 'tenant-updated',
        target: ChangeTarget.Tenant,
        targetId: id,
        tenantId: id,
        before,
        after: { name },
      });
      return describe(tenant);
    });
  }

  /**
   * Deletes a tenant with everything that it owns. The first of several transactions makes it unusable for everybody; the others may run
   * after the answer. A background job removes what a failure, a stop or a crash leaves behind. 412 when it is in no expected state.
   */
  async remove(context: RequestContext, id: string, expected?: ExpectedTags): Promise<void> {
    await this.begin(context, id, expected);
    await this.removal.start(id);
  }

  private async begin(context: RequestContext, id: string, expected: ExpectedTags | undefined): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const tenant = await tx.manager.findOne(Tenant, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (tenant === null) throw notFound(TENANT);
      tenantState.require(expected, describe(tenant));
      // Every credential and rule of the tenant is deleted with it. Forgetting all cached values is cheaper than listing these.
      tx.transaction.touchEverything();
      await tx.manager.update(Tenant, { id }, { deletedAt: this.clock.now() });
      await this.changeLog.write(tx, {
        action: 'tenant-deleted',
        target: ChangeTarget.Tenant,
        targetId: id,
        tenantId: id,
        before: { name: tenant.name },
      });
    });
  }
}

function describe({ id, name }: Tenant): GetTenantResponseDto {
  return { tenantId: id, tenantName: name ?? '' };
}
