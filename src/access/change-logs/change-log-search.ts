import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { notFound } from '../../platform/common/errors/errors.js';
import type { RequestContext } from '../authentication/principals/request-context.js';
import { NamedTenants } from '../authorization/guard/named-tenants.js';
import type { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

/** Searches the change log of one tenant, or the entries that belong to no tenant. */
@Injectable()
export class ChangeLogSearch {
  constructor(
    private readonly repository: ChangeLogsRepository,
    private readonly tenants: NamedTenants,
  ) {}

  /**
   * The matching entries, newest first. A null tenant selects the server's own entries. The log of a deleted tenant
   * stays readable until its entries expire. 404 for a tenant that neither exists nor has a log.
   */
  async search(
    { manager }: RequestContext,
    tenantId: string | null,
    { page, pageSize, ...query }: ChangeLogQueryDto,
  ): Promise<AuthorizationChangeLogsResponseDto> {
    const filter = { tenantId, ...query };
    const limit = Math.max(pageSize, 1);
    const items = await this.repository.page(manager, filter, page * limit, limit);
    const totalItems = await this.repository.count(manager, filter);
    if (totalItems === 0 && tenantId !== null) await this.requireKnown(manager, tenantId);
    return { items, totalItems };
  }

  private async requireKnown(manager: EntityManager, tenantId: string): Promise<void> {
    if ((await this.tenants.exists(tenantId)) || (await this.repository.hasAny(manager, tenantId))) return;
    throw notFound('The tenant');
  }
}
