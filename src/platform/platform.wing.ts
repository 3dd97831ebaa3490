import { Module, type DynamicModule } from '@nestjs/common';

import { CommonModule } from './common/common.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Settings } from './config/settings.js';
import type { EntityClass } from './database/connection/data-source.js';
import { type BeforeUpgrade, type Connect, DatabaseModule } from './database/database.module.js';
import { HttpModule } from './http/http.module.js';
import { NodeModule } from './node/node.module.js';

/** Base of every wing: settings, database, HTTP, and this process among others. */
@Module({})
export class PlatformWing {
  static forRoot(settings: Settings, entities: readonly EntityClass[], connect: Connect, beforeUpgrade: BeforeUpgrade): DynamicModule {
    return {
      module: PlatformWing,
      imports: [
        CommonModule,
        ConfigModule.forRoot(settings),
        DatabaseModule.forRoot(entities, connect, beforeUpgrade),
        HttpModule,
        NodeModule,
      ],
      exports: [NodeModule],
    };
  }
}
