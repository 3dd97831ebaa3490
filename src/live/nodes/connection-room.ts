import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { ConfigurationError } from '../../platform/config/load-settings.js';
import { CONNECTIONS_OF_PROCESS } from '../../platform/database/connection/reserved-data-source.js';
import { NodesRepository } from './nodes.repository.js';

/** Connections for the commands of operators and for a node that is being replaced. */
const SPARE_CONNECTIONS = 10;

/** Checks at the start that the database has connections for all nodes. */
@Injectable()
export class ConnectionRoom implements OnApplicationBootstrap {
  constructor(private readonly nodes: NodesRepository) {}

  /** @throws ConfigurationError when there is no room for this node beside the others */
  async onApplicationBootstrap(): Promise<void> {
    const { nodes, allowed } = await this.nodes.connectionRoom();
    const needed = nodes * CONNECTIONS_OF_PROCESS + SPARE_CONNECTIONS;
    if (needed <= allowed) return;
    throw new ConfigurationError([
      `max_connections of PostgreSQL: ${allowed} connections are allowed, and ${nodes} nodes need ${needed}. Raise it, or start fewer nodes.`,
    ]);
  }
}
