import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/request-context.js';
import type { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

/** Most entries of one page. */
const MAXIMUM_PAGE_SIZE = 200;

/** Searches the change log: the entries of one tenant, or those that belong to no tenant. */
@Injectable()
export class ChangeLogSearch {
  constructor(private readonly repository: ChangeLogsRepository) {}

  /** The newest matching entries first. A null tenant means the server's own entries. */
  async search(
    { manager }: RequestContext,
    tenantId: string | null,
    { page, pageSize, ...query }: ChangeLogQueryDto,
  ): Promise<AuthorizationChangeLogsResponseDto> {
    const filter = { tenantId, ...query };
    const limit = Math.min(Math.max(pageSize, 1), MAXIMUM_PAGE_SIZE);
    const items = await this.repository.page(manager, filter, page * limit, limit);
    return { items, totalItems: await this.repository.count(manager, filter) };
  }
}
