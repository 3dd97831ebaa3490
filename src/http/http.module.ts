import { Global, Module } from '@nestjs/common';

import { Cookies } from './cookies.js';
import { FairShares, TenantLimits } from './fair-shares.js';
import { Origins } from './origins.js';
import { PublicUrl } from './public-url.js';
import { RefusalLog } from './refusal-log.js';
import { RequestDrain } from './request-drain.js';
import { RouteIndex } from './route-index.js';
import { StrangerLimits, Strangers } from './strangers.js';
import { TrustedProxies } from './trusted-proxies.js';

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
    StrangerLimits,
    Strangers,
    TenantLimits,
    TrustedProxies,
  ],
  exports: [Cookies, FairShares, Origins, PublicUrl, RefusalLog, TrustedProxies],
})
export class HttpModule {}
