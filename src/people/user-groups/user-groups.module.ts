import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { MembershipsController } from './memberships.controller.js';
import { MembershipsRepository } from './memberships.repository.js';
import { MembershipsService } from './memberships.service.js';
import { UserGroupsController } from './user-groups.controller.js';
import { UserGroupsRepository } from './user-groups.repository.js';
import { UserGroupsService } from './user-groups.service.js';

@Module({
  imports: [PermissionAssignmentsModule, TenantsModule],
  controllers: [MembershipsController, UserGroupsController],
  providers: [MembershipsRepository, MembershipsService, UserGroupsRepository, UserGroupsService],
  exports: [UserGroupsService],
})
export class UserGroupsModule {}
