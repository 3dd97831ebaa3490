import { Global, Module } from '@nestjs/common';

import { PublicUrl } from './public-url.js';
import { RequestDrain } from './request-drain.js';
import { RouteIndex } from './route-index.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [PublicUrl, RequestDrain, RouteIndex, TrustedProxies], exports: [PublicUrl, TrustedProxies] })
export class HttpModule {}
