import { Injectable } from '@nestjs/common';

import { idOf, tenantOf } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { notFound } from '../../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { SessionRecordings } from '../../device-activity/session-recordings.js';

/** Notes that callers record their own remote control sessions. */
@Injectable()
export class SessionRecordingsService {
  constructor(
    private readonly recordings: SessionRecordings,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Notes that the recording of the caller's session has begun; 404 if no such session of the caller runs. */
  async begin(context: RequestContext, deviceId: string, sessionId: string): Promise<void> {
    // Its request was answered without the record if the database was silent.
    await this.recordings.untilSessionsAreRecorded();
    await this.unitOfWork.run(context, async (tx) => {
      const session = await this.recordings.begin(
        tx.manager,
        { deviceId, relaySessionId: sessionId, tenantId: tenantOf(tx.principal) },
        idOf(tx.principal),
      );
      if (session === null) throw notFound('The session');
      if (!session.isNew) return;
      const { tenantId } = session;
      const action = 'device-session-recording-started';
      await this.changeLog.write(tx, { action, target: ChangeTarget.Device, targetId: deviceId, tenantId });
    });
  }

  /** Notes that it has ended; 404 if the caller's session is not being recorded. */
  async end(context: RequestContext, deviceId: string, sessionId: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const session = await this.recordings.end(
        tx.manager,
        { deviceId, relaySessionId: sessionId, tenantId: tenantOf(tx.principal) },
        idOf(tx.principal),
      );
      if (session === null) throw notFound('The session');
      const { tenantId } = session;
      const action = 'device-session-recording-finished';
      await this.changeLog.write(tx, { action, target: ChangeTarget.Device, targetId: deviceId, tenantId });
    });
  }
}
