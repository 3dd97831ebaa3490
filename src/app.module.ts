import { Module, type DynamicModule } from '@nestjs/common';

import { AccessWing } from './access/access.wing.js';
import { DevicesWing } from './devices/devices.wing.js';
import { entities } from './entities.js';
import { LiveWing } from './live/live.wing.js';
import { PeopleWing } from './people/people.wing.js';
import type { Settings } from './platform/config/settings.js';
import { PlatformWing } from './platform/platform.wing.js';
import { ServiceStop } from './service-stop.js';
import { SystemWing } from './system/system.wing.js';
import { TenantsWing } from './tenants/tenants.wing.js';

/** The seven wings of the service. */
@Module({})
export class AppModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      providers: [ServiceStop],
      imports: [
        PlatformWing.forRoot(settings, entities),
        AccessWing,
        TenantsWing,
        PeopleWing.forRoot(settings),
        DevicesWing,
        SystemWing.forRoot(settings),
        LiveWing,
      ],
    };
  }
}
