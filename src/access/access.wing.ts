import { Module } from '@nestjs/common';

import { AuthenticationModule } from './authentication/authentication.module.js';
import { AuthorizationModule } from './authorization/authorization.module.js';
import { ChangeLogsModule } from './change-logs/change-logs.module.js';
import { PermissionAssignmentsModule } from './permission-assignments/permission-assignments.module.js';
import { SecurityLogModule } from './security-log/security-log.module.js';

/** Authentication of callers, their rights, and the records of both. */
@Module({ imports: [AuthenticationModule, AuthorizationModule, ChangeLogsModule, PermissionAssignmentsModule, SecurityLogModule] })
export class AccessWing {}
