import { Module } from '@nestjs/common';

import { ServerModule } from '../server/server.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { UserPreferencesModule } from '../user-preferences/user-preferences.module.js';
import { UsersModule } from '../users/users.module.js';
import { CallerController } from './caller.controller.js';
import { CallerService } from './caller.service.js';

@Module({
  imports: [ServerModule, TenantsModule, UserPreferencesModule, UsersModule],
  controllers: [CallerController],
  providers: [CallerService],
})
export class CallerModule {}
