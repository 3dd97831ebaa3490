import { Global, Module } from '@nestjs/common';

import { Clock } from './clock.js';
import { RequestDrain } from './request-drain.js';
import { PublicAddress } from './public-address.js';
import { RouteIndex } from './route-index.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [Clock, PublicAddress, RequestDrain, RouteIndex, TrustedProxies], exports: [Clock, PublicAddress, TrustedProxies] })
export class CommonModule {}
