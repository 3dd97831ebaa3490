import { Module } from '@nestjs/common';

import { NodeModule } from '../../platform/node/node.module.js';
import { DatabaseProbe } from './database-probe.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({ imports: [NodeModule], controllers: [HealthController], providers: [DatabaseProbe, Readiness], exports: [Readiness] })
export class HealthModule {}
