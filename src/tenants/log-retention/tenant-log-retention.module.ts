import { Module } from '@nestjs/common';

import { LogRetentionModule } from '../../access/log-retention/log-retention.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { LogRetentionController } from './log-retention.controller.js';
import { LogRetentionService } from './log-retention.service.js';

@Module({ imports: [LogRetentionModule, TenantsModule], controllers: [LogRetentionController], providers: [LogRetentionService] })
export class TenantLogRetentionModule {}
