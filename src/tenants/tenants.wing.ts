import { Module } from '@nestjs/common';

import { TenantSettingsModule } from './tenant-settings/tenant-settings.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

/** Tenants and their settings. */
@Module({ imports: [TenantSettingsModule, TenantsModule] })
export class TenantsWing {}
