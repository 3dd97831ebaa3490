import { Injectable } from '@nestjs/common';

import { tenantOf } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../../access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { conflict, notFound } from '../../../platform/common/errors/errors.js';
import { pagesOf } from '../../../platform/common/resources/pages.js';
import { UnitOfWork, type InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { DeviceEvents } from '../device-events.js';
import { SCOPE_FIRST_PARAMETER, type ListKey } from '../devices.repository.js';
import type { DeviceKeyApprovalResponseDto } from './key-approval.dto.js';
import { KeyApprovalsRepository, type DeviceKeyRow } from './key-approvals.repository.js';
import { fingerprintOf } from './key-fingerprint.js';

const DEVICE = 'The device';
/** Keys per query of a list. */
const PAGE_SIZES = { first: 100, next: 500 };

/**
 * Approval of the new keys of known devices, where the tenant setting `require-approval-for-new-device-keys` asks for it. A holder of an
 * installer key can register a device again with a key of their own; until a person who knows the device approves that key, nothing
 * reaches its holder, and the agent with the key in force goes on. A key that waits goes on waiting when the setting is switched off.
 */
@Injectable()
export class KeyApprovalsService {
  constructor(
    private readonly repository: KeyApprovalsRepository,
    private readonly authorization: AuthorizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly events: DeviceEvents,
  ) {}

  /** The keys that wait, of every device that the caller may read, page by page. */
  async *list(context: RequestContext): AsyncGenerator<readonly DeviceKeyApprovalResponseDto[]> {
    const pages = pagesOf<DeviceKeyRow & ListKey>(async (after, limit) => {
      const scope = await this.authorization.deviceScope(context.principal, Permission.DeviceRead, 'd', SCOPE_FIRST_PARAMETER);
      return this.repository.page(context.manager, scope, after, limit);
    }, PAGE_SIZES);
    for await (const rows of pages) yield rows.map(toResponse);
  }

  /** The key of a device; 404 when the caller can reach no such device. */
  async get(context: RequestContext, id: string): Promise<DeviceKeyApprovalResponseDto> {
    const row = await this.repository.find(context.manager, id, tenantOf(context.principal));
    if (row === null) throw notFound(DEVICE);
    return toResponse(row);
  }

  /** Approves the key of that fingerprint, so that the device is reached again; 409 when no key, or another one, waits. */
  async approve(context: RequestContext, id: string, fingerprint: string): Promise<DeviceKeyApprovalResponseDto> {
    const row = await this.unitOfWork.run(context, async (tx) => {
      const pending = await this.holdPending(tx, id);
      const { waiting, inForce } = keysOf(pending);
      if (waiting === '') throw conflict('The device has not sent its key yet.');
      if (fingerprintOf(waiting) !== fingerprint) {
        throw conflict('Another key waits for approval. Read its fingerprint again.');
      }
      await this.repository.approve(tx.manager, pending);
      await this.log(tx, pending, 'device-key-approved', inForce, waiting);
      return { ...pending, publicKey: waiting, waitingPublicKey: '', keyPendingSince: null };
    });
    this.tell(row, true);
    this.events.changed(row.tenantId, [id]);
    return toResponse(row);
  }

  /** Drops the key that waits beside the one in force; 409 when none waits, or none is in force. */
  async refuse(context: RequestContext, id: string): Promise<void> {
    const row = await this.unitOfWork.run(context, async (tx) => {
      const pending = await this.holdPending(tx, id);
      const { waiting, inForce } = keysOf(pending);
      if (inForce === '') throw conflict('The device has no other key. Delete the device to reject this one.');
      await this.repository.refuse(tx.manager, id);
      await this.log(tx, pending, 'device-key-refused', waiting, inForce);
      return pending;
    });
    this.tell(row, false);
  }

  /** The keys of a device of which one waits; they stay as they are until the transaction ends. */
  private async holdPending(tx: InTransaction<RequestContext>, id: string): Promise<DeviceKeyRow> {
    const row = await this.repository.hold(tx.manager, id, tenantOf(tx.principal));
    if (row === null) throw notFound(DEVICE);
    if (row.keyPendingSince === null) throw conflict('No key of the device waits for approval.');
    return row;
  }

  private async log(tx: InTransaction<RequestContext>, { id, tenantId }: DeviceKeyRow, action: string, before: string, after: string) {
    await this.changeLog.write(tx, {
      action,
      target: ChangeTarget.Device,
      targetId: id,
      tenantId,
      before: { publicKey: fingerprintOf(before) },
      after: { publicKey: fingerprintOf(after) },
    });
    tx.transaction.touch(Topic.Device, id);
  }

  private tell({ id, tenantId, name, publicKey }: DeviceKeyRow, isApproved: boolean): void {
    this.events.emit('keyDecided', { id, tenantId, name, isApproved, publicKey });
  }
}

/** The key of a device that waits, and the one in force beside it; empty where there is none. */
function keysOf({ publicKey, waitingPublicKey }: DeviceKeyRow): { readonly waiting: string; readonly inForce: string } {
  return waitingPublicKey === '' ? { waiting: publicKey, inForce: '' } : { waiting: waitingPublicKey, inForce: publicKey };
}

function toResponse(row: DeviceKeyRow): DeviceKeyApprovalResponseDto {
  const { waiting, inForce } = keysOf(row);
  return {
    deviceId: row.id,
    name: row.name,
    isPending: row.keyPendingSince !== null,
    fingerprint: fingerprintOf(waiting),
    formerFingerprint: fingerprintOf(inForce),
    pendingSince: row.keyPendingSince,
  };
}
