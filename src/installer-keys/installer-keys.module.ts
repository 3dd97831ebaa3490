import { Module } from '@nestjs/common';

import { TenantsModule } from '../tenants/tenants.module.js';
import { InstallerKeysController } from './installer-keys.controller.js';
import { InstallerKeysRepository } from './installer-keys.repository.js';
import { InstallerKeysService } from './installer-keys.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [InstallerKeysController],
  providers: [InstallerKeysRepository, InstallerKeysService],
  exports: [InstallerKeysService],
})
export class InstallerKeysModule {}
