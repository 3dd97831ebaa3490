import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { AccessDeclarations } from './access-declarations.js';
import { AccessGuard } from './access.guard.js';
import { AdministratorsRepository } from './administrators.repository.js';
import { Administrators } from './administrators.js';
import { AuthorizationService } from './authorization.service.js';
import { ChangeLog } from './change-log.js';
import { DenialsRepository } from './denials.repository.js';
import { Denials } from './denials.js';
import { Escalation } from './escalation.js';
import { NamedTenants } from './named-tenants.js';
import { RulesRepository } from './rules.repository.js';
import { StandingRights } from './standing-rights.js';
import { TransferRights } from './transfer-rights.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessDeclarations,
    Administrators,
    AdministratorsRepository,
    AuthorizationService,
    ChangeLog,
    Denials,
    DenialsRepository,
    Escalation,
    NamedTenants,
    RulesRepository,
    StandingRights,
    TransferRights,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [
    AccessDeclarations,
    Administrators,
    AuthorizationService,
    ChangeLog,
    Denials,
    Escalation,
    NamedTenants,
    RulesRepository,
    StandingRights,
    TransferRights,
  ],
})
export class AuthorizationModule {}
