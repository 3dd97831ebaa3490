import { Injectable } from '@nestjs/common';

import { agentClient } from '#libs/contracts';

import { idOf, tenantOf } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { conflict, notFound } from '../../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { DeviceLink } from '../../device-link/device-link.js';
import { DeviceInventoriesRepository, type StoredInventory } from './device-inventories.repository.js';
import type { DeviceInventoryResponseDto, RunningSessionDto } from './device-inventory.dto.js';
import { RunningSessionsRepository } from './running-sessions.repository.js';

/** The time that an agent has to read its inventory: a package manager can take its time. */
const ANSWER_MS = 90_000;
const REPORTS_NONE = 'The agent of this device reports no inventory.';

/** The inventories that agents have reported of their devices, and the running sessions on these. */
@Injectable()
export class DeviceInventoryService {
  constructor(
    private readonly repository: DeviceInventoriesRepository,
    private readonly sessions: RunningSessionsRepository,
    private readonly link: DeviceLink,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The inventory of a device; null when its agent has reported none. */
  async get({ manager, principal }: RequestContext, deviceId: string): Promise<DeviceInventoryResponseDto | null> {
    const stored = await this.repository.find(manager, deviceId, tenantOf(principal));
    return stored === null ? null : dtoOf(stored);
  }

  /** Has the agent report its inventory again. 409 when the device is offline, or its agent reports none. */
  async refresh({ readAt }: RequestContext, deviceId: string): Promise<void> {
    this.link.requireReachable(deviceId);
    // Other agents do not know the method.
    if (!this.link.offers(deviceId, 'RequestInventory')) throw conflict(REPORTS_NONE);
    const device = await this.link.reach(deviceId, readAt);
    await device.invoke(agentClient.RequestInventory, [], ANSWER_MS).then(({ isSuccess, reason }) => {
      if (!isSuccess) throw conflict(reason ?? REPORTS_NONE);
    });
  }

  /** The sessions that run on a device. */
  running({ manager, principal }: RequestContext, deviceId: string): Promise<RunningSessionDto[]> {
    return this.sessions.list(manager, deviceId, tenantOf(principal), idOf(principal));
  }

  /** Ends a remote control or VNC session on a device, in whichever process it runs; 404 when it does not run. */
  async end(context: RequestContext, deviceId: string, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const session = await this.sessions.find(tx.manager, deviceId, tenantOf(tx.principal), id);
      if (session === null) throw notFound('The session');
      await this.sessions.announceEnd(tx.manager, session.sessionId);
      tx.transaction.touch(Topic.RelaySession, session.sessionId);
      await this.changeLog.write(tx, {
        action: 'device-session-ended',
        target: ChangeTarget.Device,
        targetId: deviceId,
        tenantId: session.tenantId,
        before: { kind: session.kind, principalId: session.principalId },
      });
    });
  }
}

function dtoOf({ confirmedAt, facts, software, updates }: StoredInventory): DeviceInventoryResponseDto {
  const { bootedAt, ...others } = facts;
  return { ...others, reportedAt: confirmedAt, bootedAt: bootedAt === null ? null : new Date(bootedAt), software, updates };
}
