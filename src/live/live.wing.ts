import { Module, type DynamicModule } from '@nestjs/common';

import type { Settings } from '../platform/config/settings.js';
import { HubsModule } from './hubs/hubs.module.js';
import { RelayModule } from './relay/relay.module.js';

/** The two hubs, the relay between viewers and devices, and the way to other nodes where there are any. */
@Module({})
export class LiveWing {
  static async forRoot({ nodes }: Settings): Promise<DynamicModule> {
    const others = nodes.nats.length === 0 ? [] : [(await import('./nodes/nodes.module.js')).NodesModule];
    return { module: LiveWing, imports: [HubsModule, RelayModule, ...others], exports: [RelayModule] };
  }
}
