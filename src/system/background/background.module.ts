import { Module } from '@nestjs/common';

import { ChangeLogsModule } from '../../access/change-logs/change-logs.module.js';
import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { DeviceActivityModule } from '../../devices/device-activity/device-activity.module.js';
import { DevicesModule } from '../../devices/devices/devices.module.js';
import { InstallerKeysModule } from '../../devices/installer-keys/installer-keys.module.js';
import { LogonTokensModule } from '../../people/logon-tokens/logon-tokens.module.js';
import { PasskeysModule } from '../../people/passkeys/passkeys.module.js';
import { SignInModule } from '../../people/sign-in/sign-in.module.js';
import { UsersModule } from '../../people/users/users.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { EventsModule } from '../events/events.module.js';
import { ForwardingModule } from '../forwarding/forwarding.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { BackgroundJobs } from './background-jobs.js';
import { DeviceJobs } from './device-jobs.js';
import { JobMetrics } from './job-metrics.js';
import { PeopleJobs } from './people-jobs.js';
import { TenantJobs } from './tenant-jobs.js';

@Module({
  imports: [
    ChangeLogsModule,
    DeviceActivityModule,
    DevicesModule,
    EventsModule,
    ForwardingModule,
    InstallerKeysModule,
    LogonTokensModule,
    PasskeysModule,
    PermissionAssignmentsModule,
    SecurityLogModule,
    SignInModule,
    TenantsModule,
    UsersModule,
    WebhooksModule,
  ],
  providers: [BackgroundJobs, DeviceJobs, JobMetrics, PeopleJobs, TenantJobs],
  exports: [JobMetrics],
})
export class BackgroundModule {}
