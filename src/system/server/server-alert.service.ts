import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import type { ServerAlertRequestDto, ServerAlertResponseDto } from './server-alert.dto.js';
import { SERVER_ALERT_ID, ServerAlert } from './server-alert.entity.js';

/** The editable state of the alert: all of it. */
export const serverAlertState = new TaggedState(stateOf);

/** The alert that every signed-in user sees. */
@Injectable()
export class ServerAlertService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The alert, enabled or not; 404 when its row is missing. */
  async get(context: RequestContext): Promise<ServerAlertResponseDto> {
    const alert = await context.manager.findOne(ServerAlert, { where: { id: SERVER_ALERT_ID } });
    if (alert === null) throw notFound('The server alert');
    return alert;
  }

  /** Replaces the alert as a whole. 412 when it is in no expected state. */
  async replace(context: RequestContext, request: ServerAlertRequestDto, expected?: ExpectedTags): Promise<ServerAlertResponseDto> {
    const after = stateOf(request);
    return this.unitOfWork.run(context, async (tx) => {
      const stored = await tx.manager.findOne(ServerAlert, { where: { id: SERVER_ALERT_ID }, lock: { mode: 'pessimistic_write' } });
      serverAlertState.require(expected, stored);
      await tx.manager.upsert(ServerAlert, { id: SERVER_ALERT_ID, ...after }, ['id']);
      await this.changeLog.write(tx, {
        action: 'server-alert-updated',
        target: ChangeTarget.ServerAlert,
        targetId: SERVER_ALERT_ID,
        tenantId: null,
        ...(stored === null ? {} : { before: stateOf(stored) }),
        after,
      });
      return { id: SERVER_ALERT_ID, ...after };
    });
  }
}

function stateOf({ message, severity, isDismissable, isSticky, isEnabled }: ServerAlertRequestDto): ServerAlertRequestDto {
  return { message, severity, isDismissable, isSticky, isEnabled };
}
