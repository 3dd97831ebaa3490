import { Module, type DynamicModule } from '@nestjs/common';

import { AccessWing } from './access/access.wing.js';
import { DevicesWing } from './devices/devices.wing.js';
import { entities } from './entities.js';
import { LiveWing } from './live/live.wing.js';
import { PeopleWing } from './people/people.wing.js';
import type { Settings } from './platform/config/settings.js';
import type { Connect } from './platform/database/database.module.js';
import { openConnection } from './platform/database/open-connection.js';
import { PlatformWing } from './platform/platform.wing.js';
import { ServiceStop } from './service-stop.js';
import { backUpBeforeUpgrade } from './system/backups/running/upgrade-backup.js';
import { SystemWing } from './system/system.wing.js';
import { TenantsWing } from './tenants/tenants.wing.js';

/** The seven wings of the service. `connect` is given if the database is opened before the application is made. */
@Module({})
export class AppModule {
  static forRoot(settings: Settings, connect: Connect = () => openConnection(settings)): DynamicModule {
    return {
      module: AppModule,
      providers: [ServiceStop],
      imports: [
        PlatformWing.forRoot(settings, entities, connect, (config) => backUpBeforeUpgrade(settings, config)),
        AccessWing,
        TenantsWing,
        PeopleWing.forRoot(settings),
        DevicesWing,
        SystemWing.forRoot(settings),
        LiveWing.forRoot(settings),
      ],
    };
  }
}
