import { Global, Module } from '@nestjs/common';

import { Origins } from './origins.js';
import { PublicUrl } from './public-url.js';
import { RequestDrain } from './request-drain.js';
import { RouteIndex } from './route-index.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [Origins, PublicUrl, RequestDrain, RouteIndex, TrustedProxies], exports: [Origins, PublicUrl, TrustedProxies] })
export class HttpModule {}
