import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { AccessDeclarations } from './access-declarations.js';
import { AccessGuard } from './access.guard.js';
import { AuthorizationService } from './authorization.service.js';
import { ChangeLog } from './change-log.service.js';
import { RulesRepository } from './rules.repository.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [AccessDeclarations, AuthorizationService, ChangeLog, RulesRepository, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [AccessDeclarations, AuthorizationService, ChangeLog, RulesRepository],
})
export class AuthorizationModule {}
