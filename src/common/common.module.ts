import { Global, Module } from '@nestjs/common';

import { Clock } from './clock.js';
import { RequestDrain } from './request-drain.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [Clock, RequestDrain, TrustedProxies], exports: [Clock, TrustedProxies] })
export class CommonModule {}
