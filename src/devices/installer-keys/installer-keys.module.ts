import { Module } from '@nestjs/common';

import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { InstallerKeyRedemption } from './installer-key-redemption.js';
import { InstallerKeysController } from './installer-keys.controller.js';
import { InstallerKeysInternalController } from './installer-keys.internal.js';
import { InstallerKeysRepository } from './installer-keys.repository.js';
import { InstallerKeysService } from './installer-keys.service.js';
import { KeyCustomersController } from './key-customers.controller.js';
import { KeyCustomersRepository } from './key-customers.repository.js';
import { KeyCustomersService } from './key-customers.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [InstallerKeysController, InstallerKeysInternalController, KeyCustomersController],
  providers: [InstallerKeyRedemption, InstallerKeysRepository, InstallerKeysService, KeyCustomersRepository, KeyCustomersService],
  exports: [InstallerKeyRedemption, InstallerKeysService],
})
export class InstallerKeysModule {}
