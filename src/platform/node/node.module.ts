import { Module } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { ServiceLock } from '../database/locks/service-lock.js';
import { DrainTimes, drainTimes } from './drain-times.js';
import { LastOutcomes } from './last-outcomes.js';
import { NodeTimes } from './node-times.js';
import { ServerNode } from './server-node.js';
import { ServerVersion } from './server-version.js';

/**
 * This process among those of one database: its id, its reports, its version. It is imported by name and not global: so it starts before
 * what uses it, stops after that, and stops before the connections of the database close.
 */
@Module({
  providers: [
    LastOutcomes,
    NodeTimes,
    ServerNode,
    ServerVersion,
    {
      provide: DrainTimes,
      inject: [ServiceLock, Settings],
      useFactory: ({ isShared }: ServiceLock, { nodes }: Settings) => drainTimes(isShared, nodes),
    },
  ],
  exports: [DrainTimes, LastOutcomes, NodeTimes, ServerNode, ServerVersion],
})
export class NodeModule {}
