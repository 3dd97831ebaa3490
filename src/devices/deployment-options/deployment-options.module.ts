import { Module } from '@nestjs/common';

import { TenantSettingsModule } from '../../tenants/tenant-settings/tenant-settings.module.js';
import { DeploymentOptionsController } from './deployment-options.controller.js';
import { DeploymentOptionsService } from './deployment-options.service.js';

@Module({ imports: [TenantSettingsModule], controllers: [DeploymentOptionsController], providers: [DeploymentOptionsService] })
export class DeploymentOptionsModule {}
