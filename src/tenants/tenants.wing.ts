import { Module } from '@nestjs/common';

import { TenantLogRetentionModule } from './log-retention/tenant-log-retention.module.js';
import { TenantSettingsModule } from './tenant-settings/tenant-settings.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

/** Tenants and their settings. */
@Module({ imports: [TenantLogRetentionModule, TenantSettingsModule, TenantsModule] })
export class TenantsWing {}
