import { Global, Module } from '@nestjs/common';

import { NodeTimes } from './node-times.js';
import { ServerNode } from './server-node.js';
import { ServerVersion } from './server-version.js';

/** This process among those of one database: its id, its life, its version. */
@Global()
@Module({ providers: [NodeTimes, ServerNode, ServerVersion], exports: [NodeTimes, ServerNode, ServerVersion] })
export class NodeModule {}
