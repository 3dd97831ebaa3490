import { Module } from '@nestjs/common';

import { ChangeLogsModule } from '../change-logs/change-logs.module.js';
import { DeviceActivityModule } from '../device-activity/device-activity.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { InstallerKeysModule } from '../installer-keys/installer-keys.module.js';
import { LogonTokensModule } from '../logon-tokens/logon-tokens.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { SecurityLogModule } from '../security-log/security-log.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { UsersModule } from '../users/users.module.js';
import { BackgroundJobs } from './background-jobs.js';

@Module({
  imports: [
    ChangeLogsModule,
    DeviceActivityModule,
    DevicesModule,
    InstallerKeysModule,
    LogonTokensModule,
    PasskeysModule,
    PermissionAssignmentsModule,
    SecurityLogModule,
    SignInModule,
    TenantsModule,
    UsersModule,
  ],
  providers: [BackgroundJobs],
})
export class BackgroundModule {}
