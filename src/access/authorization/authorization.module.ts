import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { Administrators } from './administrators/administrators.js';
import { AdministratorsRepository } from './administrators/administrators.repository.js';
import { ChangeLog } from './change-log/change-log.js';
import { Denials } from './escalation/denials.js';
import { DenialsRepository } from './escalation/denials.repository.js';
import { Escalation } from './escalation/escalation.js';
import { AuthorizationService } from './evaluation/authorization.service.js';
import { RulesRepository } from './evaluation/rules.repository.js';
import { EventLog } from './event-log/event-log.js';
import { AccessDeclarations } from './guard/access-declarations.js';
import { AccessGuard } from './guard/access.guard.js';
import { NamedTenants } from './guard/named-tenants.js';
import { StandingRights } from './revocation/standing-rights.js';
import { TransferRights } from './revocation/transfer-rights.js';

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
    EventLog,
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
    EventLog,
    NamedTenants,
    RulesRepository,
    StandingRights,
    TransferRights,
  ],
})
export class AuthorizationModule {}
