import { Module } from '@nestjs/common';

import { InstallerKeysController } from './installer-keys.controller.js';
import { InstallerKeysRepository } from './installer-keys.repository.js';
import { InstallerKeysService } from './installer-keys.service.js';

@Module({
  controllers: [InstallerKeysController],
  providers: [InstallerKeysRepository, InstallerKeysService],
  exports: [InstallerKeysService],
})
export class InstallerKeysModule {}
