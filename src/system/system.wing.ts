import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import type { Settings } from '../platform/config/settings.js';
import { BackgroundModule } from './background/background.module.js';
import { BackupsModule } from './backups/running/backups.module.js';
import { CallerModule } from './caller/caller.module.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { EventsModule } from './events/events.module.js';
import { ForwardingModule } from './forwarding/forwarding.module.js';
import { HealthModule } from './health/health.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { ServerModule } from './server/server.module.js';
import { ServerSettingsModule } from './server-settings/server-settings.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WebModule } from './web/web.module.js';

/** The server itself: health, background jobs, descriptions, pages. */
@Module({})
export class SystemWing {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: SystemWing,
      imports: [
        ScheduleModule.forRoot(),
        BackgroundModule,
        BackupsModule,
        CallerModule,
        DoctorModule,
        EventsModule,
        ForwardingModule,
        HealthModule,
        TelemetryModule,
        OpenApiModule.forRoot({ isServed: settings.appOptions.enableApiBrowserUi }),
        ServerModule,
        ServerSettingsModule,
        WebhooksModule,
        WebModule,
      ],
      exports: [HealthModule],
    };
  }
}
