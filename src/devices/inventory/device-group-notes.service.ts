import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import type { DeviceGroupNotesDto } from './device-group-notes.dto.js';
import { DeviceGroupNotesRepository } from './device-group-notes.repository.js';

/** The editable state of the notes of a device group. */
export const deviceGroupNotesState = new TaggedState(({ notes }: DeviceGroupNotesDto) => ({ notes }));

const GROUP = 'The device group';

/** The notes of users about device groups. */
@Injectable()
export class DeviceGroupNotesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DeviceGroupNotesRepository,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The notes of a group; 404 when the tenant has no such group. */
  async get({ manager, tenantId }: TenantContext, groupId: string): Promise<DeviceGroupNotesDto> {
    const notes = await this.repository.find(manager, groupId, tenantId);
    if (notes === null) throw notFound(GROUP);
    return notes;
  }

  /** Changes the notes of a group. 412 when they are in no expected state. */
  async change(context: TenantContext, groupId: string, given: string | null, expected?: ExpectedTags): Promise<DeviceGroupNotesDto> {
    return this.unitOfWork.run(context, async (tx) => {
      await this.repository.hold(tx.manager, groupId, tx.tenantId);
      const before = await this.get(tx, groupId);
      deviceGroupNotesState.require(expected, before);
      const after = { notes: (given ?? '').trimEnd() };
      if (after.notes === before.notes) return before;
      await this.repository.write(tx.manager, groupId, after.notes);
      const { tenantId } = tx;
      const change = { action: 'device-group-notes-updated', target: ChangeTarget.DeviceGroup, targetId: groupId, tenantId };
      await this.changeLog.write(tx, { ...change, before, after });
      return after;
    });
  }
}
