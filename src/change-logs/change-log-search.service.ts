import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/request-context.js';
import { isGuid } from '../common/guid.js';
import type { AuthorizationChangeLogsResponseDto, ChangeLogQueryDto } from './change-log.dto.js';
import { AuthorizationChangeLog } from '../authorization/change-log.entity.js';

/** Most entries of one page. */
const MAXIMUM_PAGE_SIZE = 200;

/** Reads the change log: the entries of one tenant, or those that belong to no tenant. */
@Injectable()
export class ChangeLogSearch {
  /** The newest matching entries first. A null tenant means the server's own entries. */
  async search(context: RequestContext, tenantId: string | null, query: ChangeLogQueryDto): Promise<AuthorizationChangeLogsResponseDto> {
    const pageSize = Math.min(Math.max(query.pageSize, 1), MAXIMUM_PAGE_SIZE);
    const entries = context.manager
      .createQueryBuilder(AuthorizationChangeLog, 'log')
      .where(tenantId === null ? 'log.owningTenantId IS NULL' : 'log.owningTenantId = :tenantId', { tenantId });
    if (query.actionType !== null) entries.andWhere('log.actionType = :actionType', { actionType: query.actionType });
    if (query.actorType !== null) entries.andWhere('log.actorPrincipalType = :actorType', { actorType: query.actorType });
    if (query.targetType !== null) entries.andWhere('log.targetType = :targetType', { targetType: query.targetType });
    if (query.from !== null) entries.andWhere('log.createdAt >= :from', { from: query.from });
    if (query.to !== null) entries.andWhere('log.createdAt <= :to', { to: query.to });
    if (query.searchText !== null && query.searchText !== '') {
      const [condition, text] = isGuid(query.searchText)
        ? ['(log.actorPrincipalId = :text OR log.targetId = :text)', query.searchText]
        : ['(log.actorPrincipalId::text ILIKE :text OR log.targetId::text ILIKE :text)', `%${literal(query.searchText)}%`];
      entries.andWhere(condition, { text });
    }
    const [rows, totalItems] = await entries
      .orderBy('log.createdAt', 'DESC')
      .addOrderBy('log.id', 'DESC')
      .skip(query.page * pageSize)
      .take(pageSize)
      .getManyAndCount();
    return { items: rows.map(({ correlationId: _unshown, ...entry }) => entry), totalItems };
  }
}

/** The text with the wildcards of LIKE taken literally. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
