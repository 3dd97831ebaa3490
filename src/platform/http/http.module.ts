import { Global, Module } from '@nestjs/common';

import { Origins } from './addresses/origins.js';
import { PublicUrl } from './addresses/public-url.js';
import { TrustedProxies } from './addresses/trusted-proxies.js';
import { FairShares, TenantLimits } from './connections/fair-shares.js';
import { RequestDrain } from './connections/request-drain.js';
import { UnauthenticatedConnectionLimits, UnauthenticatedConnections } from './connections/unauthenticated-connections.js';
import { Cookies } from './cookies.js';
import { RefusalLog } from './problems/refusal-log.js';
import { RouteIndex } from './route-index.js';

@Global()
@Module({
  providers: [
    Cookies,
    FairShares,
    Origins,
    PublicUrl,
    RefusalLog,
    RequestDrain,
    RouteIndex,
    UnauthenticatedConnectionLimits,
    UnauthenticatedConnections,
    TenantLimits,
    TrustedProxies,
  ],
  exports: [Cookies, FairShares, Origins, PublicUrl, RefusalLog, RequestDrain, TrustedProxies, UnauthenticatedConnections],
})
export class HttpModule {}
