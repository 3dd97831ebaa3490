import { Global, Module } from '@nestjs/common';

import { PublicAddress } from './public-address.js';
import { RequestDrain } from './request-drain.js';
import { RouteIndex } from './route-index.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [PublicAddress, RequestDrain, RouteIndex, TrustedProxies], exports: [PublicAddress, TrustedProxies] })
export class HttpModule {}
