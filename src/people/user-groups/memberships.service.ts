import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { notFound } from '../../platform/common/errors/errors.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import type { UserMembershipDto, UserMembershipsDto } from './membership.dto.js';
import { MembershipsRepository } from './memberships.repository.js';

/** Answers who is in which group without reading the groups one by one. */
@Injectable()
export class MembershipsService {
  constructor(private readonly repository: MembershipsRepository) {}

  /** The users of the tenant that are in a group, each with the first names of its groups. */
  byUser({ manager, tenantId }: TenantContext): Pages<UserMembershipsDto> {
    return this.repository.byUser(manager, tenantId);
  }

  /** The groups that a user of the tenant is in, by name; 404 when the tenant has no such user. */
  async ofUser({ manager, tenantId }: TenantContext, userId: string): Promise<Pages<UserMembershipDto>> {
    if (!(await this.repository.hasUser(manager, tenantId, userId))) throw notFound('The user');
    return this.repository.ofUser(manager, tenantId, userId);
  }
}
