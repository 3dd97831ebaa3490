import { Module } from '@nestjs/common';

import { HubsModule } from './hubs/hubs.module.js';
import { RelayModule } from './relay/relay.module.js';

/** The two hubs, and the relay between viewers and devices. */
@Module({ imports: [HubsModule, RelayModule], exports: [RelayModule] })
export class LiveWing {}
