import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
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

  /** Notes that a session is over. Its record has its bytes. */
  ended(session: RequestedSession, reason: string): void {
    const { bytesIn, bytesOut } = session.activity;
    this.note(session, 'device-session-finished', { kind: session.kind, reason, bytesIn, bytesOut });
  }

  /** Settles when everything that was noted is written. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  /** A session does not wait for the log, and does not fail with it. */
  private note(session: RequestedSession, action: string, after: object): void {
    const written = this.write(session, action, after);
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
