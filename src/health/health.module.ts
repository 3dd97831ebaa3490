import { Module } from '@nestjs/common';

import { ServerModule } from '../server/server.module.js';
import { DatabaseProbe } from './database-probe.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({ imports: [ServerModule], controllers: [HealthController], providers: [DatabaseProbe, Readiness] })
export class HealthModule {}
