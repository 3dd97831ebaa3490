import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { HubContext } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { Transfers } from '../../../devices/device-link/transfers.js';
import { AGENT_HUB_PATH } from '../../../platform/common/addresses/hub-paths.js';
import { ConnectedAgent } from '../../hubs/agent/connected-agent.js';

/** Agents of this node that may come back through another one without disturbing anybody: no transfer or terminal needs their connections. */
@Injectable()
export class MovableAgents {
  constructor(
    private readonly presence: DevicePresence,
    private readonly transfers: Transfers,
    @InjectHub(AGENT_HUB_PATH) private readonly agents: HubContext,
  ) {}

  /** Picks at most so many, in random order. Each is a function that lets the agent go; false if it was needed or gone by then. */
  *some(count: number): Generator<() => boolean> {
    const ids = [...this.presence.deviceIds()];
    for (let picked = 0; picked < count && ids.length > 0; picked += 1) {
      const at = randomInt(ids.length);
      const id = ids[at];
      ids[at] = ids[ids.length - 1];
      ids.pop();
      yield () => this.letGo(id);
    }
  }

  private letGo(deviceId: string): boolean {
    const connectionId = this.presence.connectionOf(deviceId);
    const connection = connectionId === undefined ? undefined : this.agents.connection(connectionId);
    if (connection === undefined || this.transfers.untilFree(connection.connectionId) !== undefined) return false;
    if (ConnectedAgent.of(connection).hasHadTerminal) return false;
    connection.close({ allowReconnect: true });
    return true;
  }
}
