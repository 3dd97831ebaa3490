import { Injectable } from '@nestjs/common';

import { agentClient } from '#libs/contracts';

import { idOf, tenantOf } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { conflict } from '../../../platform/common/errors/errors.js';
import { DeviceLink } from '../../device-link/device-link.js';
import { DeviceInventoriesRepository, type StoredInventory } from './device-inventories.repository.js';
import type { DeviceInventoryResponseDto, RunningSessionDto } from './device-inventory.dto.js';
import { RunningSessionsRepository } from './running-sessions.repository.js';

/** The time that an agent has to read its inventory: a package manager can take its time. */
const ANSWER_MS = 90_000;
const REPORTS_NONE = 'The agent of this device reports no inventory.';

/** What agents have reported of their devices, and who works on these now. */
@Injectable()
export class DeviceInventoryService {
  constructor(
    private readonly repository: DeviceInventoriesRepository,
    private readonly sessions: RunningSessionsRepository,
    private readonly link: DeviceLink,
  ) {}

  /** The inventory of a device; null when its agent has reported none. */
  async get({ manager, principal }: RequestContext, deviceId: string): Promise<DeviceInventoryResponseDto | null> {
    const stored = await this.repository.find(manager, deviceId, tenantOf(principal));
    return stored === null ? null : dtoOf(stored);
  }

  /** Has the agent report its inventory again. 409 when the device is offline, or its agent reports none. */
  async refresh(deviceId: string): Promise<void> {
    this.link.requireReachable(deviceId);
    // Other agents do not know the method.
    if (!this.link.offers(deviceId, 'RequestInventory')) throw conflict(REPORTS_NONE);
    const device = await this.link.reach(deviceId);
    await device.invoke(agentClient.RequestInventory, [], ANSWER_MS).then(({ isSuccess, reason }) => {
      if (!isSuccess) throw conflict(reason ?? REPORTS_NONE);
    });
  }

  /** The sessions that run on a device. */
  running({ manager, principal }: RequestContext, deviceId: string): Promise<RunningSessionDto[]> {
    return this.sessions.list(manager, deviceId, tenantOf(principal), idOf(principal));
  }
}

function dtoOf({ confirmedAt, facts, software, updates }: StoredInventory): DeviceInventoryResponseDto {
  const { bootedAt, ...others } = facts;
  return { ...others, reportedAt: confirmedAt, bootedAt: bootedAt === null ? null : new Date(bootedAt), software, updates };
}
