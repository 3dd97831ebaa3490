import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/principals/request-context.js';
import type { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';
import { ChangeLogsRepository } from './change-logs.repository.js';
import { ReadableLogs } from './readable-logs.js';

/** Searches the change log of one tenant, or the entries that belong to no tenant. */
@Injectable()
export class ChangeLogSearch {
  constructor(
    private readonly repository: ChangeLogsRepository,
    private readonly logs: ReadableLogs,
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
    if (totalItems === 0) await this.logs.require(manager, tenantId);
    return { items, totalItems };
  }
}
