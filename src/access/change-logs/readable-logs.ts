import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { notFound } from '../../platform/common/errors/errors.js';
import { NamedTenants } from '../authorization/guard/named-tenants.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

/** The logs that can be read: of the server, of tenants, and of deleted tenants until their entries expire. */
@Injectable()
export class ReadableLogs {
  constructor(
    private readonly repository: ChangeLogsRepository,
    private readonly tenants: NamedTenants,
  ) {}

  /** 404 for a tenant that neither exists nor has a log. Null is the log of the server. */
  async require(manager: EntityManager, tenantId: string | null): Promise<void> {
    if (tenantId === null || (await this.tenants.exists(tenantId)) || (await this.repository.hasAny(manager, tenantId))) return;
    throw notFound('The tenant');
  }
}
