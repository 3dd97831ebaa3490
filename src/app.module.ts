import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { AccountModule } from './account/account.module.js';
import { AgentUpdatesModule } from './agent-updates/agent-updates.module.js';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { AuthorizationModule } from './authorization/authorization.module.js';
import { BackgroundModule } from './background/background.module.js';
import { CallerModule } from './caller/caller.module.js';
import { ChangeLogsModule } from './change-logs/change-logs.module.js';
import { CommonModule } from './common/common.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Settings } from './config/settings.js';
import { CustomersModule } from './customers/customers.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DeploymentOptionsModule } from './deployment-options/deployment-options.module.js';
import { DeviceActivityModule } from './device-activity/device-activity.module.js';
import { DeviceGroupsModule } from './device-groups/device-groups.module.js';
import { DesktopPreviewModule } from './desktop-preview/desktop-preview.module.js';
import { DeviceLinkModule } from './device-link/device-link.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { entities } from './entities.js';
import { ExternalSignInModule } from './external-sign-in/external-sign-in.module.js';
import { FileSystemModule } from './file-system/file-system.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { HubsModule } from './hubs/hubs.module.js';
import { InstallerKeysModule } from './installer-keys/installer-keys.module.js';
import { InteractiveLoginModule } from './interactive-login/interactive-login.module.js';
import { InvitesModule } from './invites/invites.module.js';
import { LogonTokensModule } from './logon-tokens/logon-tokens.module.js';
import { MailModule } from './mail/mail.module.js';
import { NodeModule } from './node/node.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { PermissionAssignmentsModule } from './permission-assignments/permission-assignments.module.js';
import { PersonalAccessTokensModule } from './personal-access-tokens/personal-access-tokens.module.js';
import { RegistrationModule } from './registration/registration.module.js';
import { RelayModule } from './relay/relay.module.js';
import { SecurityLogModule } from './security-log/security-log.module.js';
import { ServerModule } from './server/server.module.js';
import { ServiceAccountsModule } from './service-accounts/service-accounts.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { TagsModule } from './tags/tags.module.js';
import { TenantSettingsModule } from './tenant-settings/tenant-settings.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { TwoFactorModule } from './two-factor/two-factor.module.js';
import { UserGroupsModule } from './user-groups/user-groups.module.js';
import { UserPreferencesModule } from './user-preferences/user-preferences.module.js';
import { UserStorageModule } from './user-storage/user-storage.module.js';
import { UsersModule } from './users/users.module.js';
import { WebModule } from './web/web.module.js';

/** The modules of the service. */
@Module({})
export class AppModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(settings),
        CommonModule,
        DatabaseModule.forRoot(entities),
        ScheduleModule.forRoot(),
        AccountModule,
        AgentUpdatesModule,
        AuthenticationModule,
        AuthorizationModule,
        BackgroundModule,
        CallerModule,
        ChangeLogsModule,
        CustomersModule,
        DeploymentOptionsModule,
        DesktopPreviewModule,
        DeviceActivityModule,
        DeviceGroupsModule,
        DeviceLinkModule,
        DevicesModule,
        ExternalSignInModule,
        FileSystemModule,
        HealthModule,
        HttpModule,
        HubsModule,
        InstallerKeysModule,
        InteractiveLoginModule.forRoot({ hasBearerTokens: settings.appOptions.enableInteractiveBearerLogin }),
        InvitesModule,
        LogonTokensModule,
        MailModule,
        NodeModule,
        OpenApiModule.forRoot({ isServed: settings.appOptions.enableApiBrowserUi }),
        PasskeysModule,
        PermissionAssignmentsModule,
        PersonalAccessTokensModule,
        RegistrationModule,
        RelayModule,
        SecurityLogModule,
        ServerModule,
        ServiceAccountsModule,
        SignInModule,
        TagsModule,
        TenantSettingsModule,
        TenantsModule,
        TwoFactorModule,
        UserGroupsModule,
        UserPreferencesModule,
        UserStorageModule,
        UsersModule,
        WebModule,
      ],
    };
  }
}
