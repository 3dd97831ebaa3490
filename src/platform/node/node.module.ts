import { Module } from '@nestjs/common';

import { NodeTimes } from './node-times.js';
import { ServerNode } from './server-node.js';
import { ServerVersion } from './server-version.js';

/**
 * This process among those of one database: its id, its reports, its version. It is imported by name and not global: so it starts before
 * what uses it, stops after that, and stops before the connections of the database close.
 */
@Module({ providers: [NodeTimes, ServerNode, ServerVersion], exports: [NodeTimes, ServerNode, ServerVersion] })
export class NodeModule {}
