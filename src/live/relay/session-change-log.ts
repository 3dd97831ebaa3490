import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { DeviceActivityKind } from '../../devices/device-activity/device-activity-kinds.js';
import { SessionRecordings } from '../../devices/device-activity/session-recordings.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import type { RequestedSession } from './requested-sessions.js';

/** Writes the sessions with devices to the change log, beside the audit record that each has. */
@Injectable()
export class SessionChangeLog {
  private readonly logger = new Logger('Relay');
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly recordings: SessionRecordings,
    private readonly dataSource: DataSource,
  ) {}

  /** Notes that the two sides of a session are connected. */
  began(session: RequestedSession): void {
    const { kind, remoteControl } = session;
    const { desktopSession, isViewOnly } = remoteControl ?? {};
    this.note(session, 'device-session-started', {
      kind,
      desktopSession,
      isViewOnly,
      consent: session.activity.consent ?? undefined,
    });
  }

  /** Notes that a session is over, and its recording with it. The session's own record has its bytes. */
  ended(session: RequestedSession, reason: string): void {
    const { bytesIn, bytesOut } = session.activity;
    const after = { kind: session.kind, reason, bytesIn, bytesOut };
    this.track(this.endRecording(session).then(() => this.write(session, 'device-session-finished', after)));
  }

  /** Settles when everything that was noted is written. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  private async endRecording(session: RequestedSession): Promise<void> {
    const { kind, device, sessionId: relaySessionId } = session;
    if (kind !== DeviceActivityKind.RemoteControl) return;
    const { id: deviceId, tenantId } = device;
    try {
      const ended = await this.recordings.endWithSession(this.dataSource.manager, { deviceId, relaySessionId, tenantId });
      if (ended !== null) await this.write(session, 'device-session-recording-finished', {});
    } catch (error) {
      this.logger.error({ message: 'The record of a recording was not ended.', sessionId: relaySessionId, error: messageOf(error) });
    }
  }

  /** A session does not wait for the log, and does not fail with it. */
  private note(session: RequestedSession, action: string, after: object): void {
    this.track(this.write(session, action, after));
  }

  private track(written: Promise<void>): void {
    this.writing.add(written);
    void written.then(() => this.writing.delete(written));
  }

  private async write({ actor, device, sessionId }: RequestedSession, action: string, after: object): Promise<void> {
    const { tenantId } = device;
    try {
      await this.unitOfWork.run({ ...actor, tenantId, manager: this.dataSource.manager }, (tx) =>
        this.changeLog.write(tx, { action, target: ChangeTarget.Device, targetId: device.id, tenantId, after }),
      );
    } catch (error) {
      this.logger.error({ message: 'A session is missing from the change log.', action, sessionId, error: messageOf(error) });
    }
  }
}
