import { Global, Module } from '@nestjs/common';

import { Clock } from './clock.js';
import { TrustedProxies } from './trusted-proxies.js';

@Global()
@Module({ providers: [Clock, TrustedProxies], exports: [Clock, TrustedProxies] })
export class CommonModule {}
