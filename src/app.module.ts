import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { AuthenticationModule } from './access/authentication/authentication.module.js';
import { AuthorizationModule } from './access/authorization/authorization.module.js';
import { ChangeLogsModule } from './access/change-logs/change-logs.module.js';
import { PermissionAssignmentsModule } from './access/permission-assignments/permission-assignments.module.js';
import { SecurityLogModule } from './access/security-log/security-log.module.js';
import { AgentUpdatesModule } from './devices/agent-updates/agent-updates.module.js';
import { CustomersModule } from './devices/customers/customers.module.js';
import { DeploymentOptionsModule } from './devices/deployment-options/deployment-options.module.js';
import { DesktopPreviewModule } from './devices/desktop-preview/desktop-preview.module.js';
import { DeviceActivityModule } from './devices/device-activity/device-activity.module.js';
import { DeviceGroupsModule } from './devices/device-groups/device-groups.module.js';
import { DeviceLinkModule } from './devices/device-link/device-link.module.js';
import { DevicesModule } from './devices/devices/devices.module.js';
import { FileSystemModule } from './devices/file-system/file-system.module.js';
import { InstallerKeysModule } from './devices/installer-keys/installer-keys.module.js';
import { TagsModule } from './devices/tags/tags.module.js';
import { entities } from './entities.js';
import { HubsModule } from './live/hubs/hubs.module.js';
import { RelayModule } from './live/relay/relay.module.js';
import { AccountModule } from './people/account/account.module.js';
import { ExternalSignInModule } from './people/external-sign-in/external-sign-in.module.js';
import { InteractiveLoginModule } from './people/interactive-login/interactive-login.module.js';
import { InvitesModule } from './people/invites/invites.module.js';
import { LogonTokensModule } from './people/logon-tokens/logon-tokens.module.js';
import { MailModule } from './people/mail/mail.module.js';
import { PasskeysModule } from './people/passkeys/passkeys.module.js';
import { PersonalAccessTokensModule } from './people/personal-access-tokens/personal-access-tokens.module.js';
import { RegistrationModule } from './people/registration/registration.module.js';
import { ServiceAccountsModule } from './people/service-accounts/service-accounts.module.js';
import { SignInModule } from './people/sign-in/sign-in.module.js';
import { TwoFactorModule } from './people/two-factor/two-factor.module.js';
import { UserGroupsModule } from './people/user-groups/user-groups.module.js';
import { UserPreferencesModule } from './people/user-preferences/user-preferences.module.js';
import { UserStorageModule } from './people/user-storage/user-storage.module.js';
import { UsersModule } from './people/users/users.module.js';
import { CommonModule } from './platform/common/common.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { NodeModule } from './platform/node/node.module.js';
import { BackgroundModule } from './system/background/background.module.js';
import { CallerModule } from './system/caller/caller.module.js';
import { HealthModule } from './system/health/health.module.js';
import { OpenApiModule } from './system/openapi/openapi.module.js';
import { ServerModule } from './system/server/server.module.js';
import { WebModule } from './system/web/web.module.js';
import { TenantSettingsModule } from './tenants/tenant-settings/tenant-settings.module.js';
import { TenantsModule } from './tenants/tenants/tenants.module.js';

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
