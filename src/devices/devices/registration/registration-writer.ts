import { Injectable } from '@nestjs/common';

import type { CreateDeviceRequestDto } from '#libs/contracts';

import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { TenantSettingsService } from '../../../tenants/tenant-settings/tenant-settings.service.js';
import { InstallerKeyRedemption, type KeyOwner } from '../../installer-keys/installer-key-redemption.js';
import { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { isPendingAfter, KeyChange, keyChangeOf, keyColumns, keyInForce, waitsBeside } from '../key-approvals/key-change.js';
import { fingerprintOf } from '../key-approvals/key-fingerprint.js';
import { publicAddressOf } from '../row/device-columns.js';
import { detailsOf, figuresOf, withoutGaps } from '../row/device-details.js';
import type { DeviceRow } from '../row/device-fields.js';
import { rowOfWaiting } from '../updates/reported-row.js';
import { RegistrationAuthority } from './registration-authority.js';
import { needsOf, refused } from './registration-rules.js';
import { RegistrationRepository } from './registration.repository.js';

/**
 * The device is reached through no connection, and its next update is compared with no earlier one. Nothing proved that the agent that is
 * connected is the one that registered.
 */
const DISCONNECTED = { lastUpdateTicks: '0', isOnline: false, connectionId: '', nodeId: null };

/** A registered device. */
export interface Registered {
  readonly row: DeviceRow;
  /** The answer to its agent. */
  readonly answer: DeviceRow;
  /** The hub connection that it had before and that must prove itself again; empty when there is none. */
  readonly formerConnectionId: string;
  readonly keyChange: KeyChange;
}

/** Another request registered the device after this registration had looked for it. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/** Stores registrations with installer keys. */
@Injectable()
export class RegistrationWriter {
  constructor(
    private readonly repository: RegistrationRepository,
    private readonly devices: DevicesRepository,
    private readonly keys: InstallerKeyRedemption,
    private readonly authority: RegistrationAuthority,
    private readonly changeLog: ChangeLog,
    private readonly tenantSettings: TenantSettingsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses the key and adds the device, or changes the known one. 400 for a key, customer or tag that cannot be used; 403 when the key's
   * creator may not do it.
   * @throws OvertakenError when another transaction registers or deletes the device at the same time
   */
  async write(
    tx: InTransaction<RequestContext>,
    owner: KeyOwner,
    { device, publicKey, tagIds, customerId, installerKeyId, installerKeySecret }: CreateDeviceRequestDto,
  ): Promise<Registered> {
    const { id } = device;
    const { tenantId } = owner;
    if (!(await this.keys.consume(tx, installerKeyId, installerKeySecret, id, tx.remoteAddress))) throw refused();
    if (customerId !== undefined && !(await this.repository.holdCustomer(tx.manager, tenantId, customerId))) throw refused();
    const existing = await this.repository.hold(tx.manager, id);
    const wasDeleted = existing === null && (await this.repository.wasDeleted(tx.manager, id));
    // A device that is registered already goes to no other customer because of the key.
    const keyCustomerId = existing === null ? await this.keys.holdCustomer(tx, owner) : null;
    const newCustomerId = customerId ?? keyCustomerId;
    await this.authority.require(tx, owner, needsOf(tenantId, existing, wasDeleted, { tagIds, customerId }), {
      kind: 'Device',
      id,
      tenantId,
      customerId: existing === null ? newCustomerId : existing.customerId,
      deviceGroupIds: existing?.deviceGroupIds ?? [],
    });
    const isKnown = existing !== null || wasDeleted;
    const keyChange = isKnown ? keyChangeOf(existing, publicKey, await this.needsApproval(tx, tenantId)) : KeyChange.None;
    const reported = detailsOf(device);
    const isWaiting = waitsBeside(keyChange, existing);
    // Until its key is approved, a known device keeps its description, which its registrant is not told.
    const staysDescribed = isWaiting || (existing !== null && isPendingAfter(keyChange, existing));
    const staysConnected = isWaiting || (publicKey !== null && existing !== null && publicKey === keyInForce(existing));
    const columns = {
      ...(isWaiting ? {} : { ...figuresOf(device), ...withoutNulls(publicAddressOf(tx.remoteAddress)), lastSeen: this.clock.now() }),
      ...(staysDescribed ? {} : withoutNulls(reported)),
      ...withoutNulls({ customerId: newCustomerId }),
      ...keyColumns(keyChange, existing, publicKey, this.clock.now()),
      ...(staysConnected ? {} : DISCONNECTED),
    };
    if (existing === null) {
      const added = { id, tenantId, createdAt: this.clock.now(), ...columns };
      const { raw } = await tx.manager.createQueryBuilder().insert().into(Device).values(added).orIgnore().returning('id').execute();
      if (!Array.isArray(raw) || raw.length === 0) throw new OvertakenError();
      await this.repository.forgetDeletion(tx.manager, id);
    } else {
      if (Object.keys(columns).length > 0) await tx.manager.update(Device, { id }, columns);
    }
    if (tagIds !== null && !(await this.repository.replaceTags(tx.manager, tenantId, id, tagIds))) throw refused();
    const formerKey = existing === null ? '' : keyInForce(existing);
    await this.changeLog.write(tx, {
      action: 'device-registered',
      target: ChangeTarget.Device,
      targetId: id,
      tenantId,
      ...(existing === null ? {} : { before: { publicKey: fingerprintOf(formerKey) } }),
      after: {
        name: reported.name,
        installerKeyId,
        isNew: existing === null,
        tagIds,
        customerId: newCustomerId ?? undefined,
        publicKey: fingerprintOf(publicKey ?? formerKey),
        awaitsApproval: keyChange === KeyChange.Pending || keyChange === KeyChange.Waiting ? true : null,
      },
    });
    tx.transaction.touch(Topic.Device, id);
    const row = await this.devices.find(tx.manager, id, tenantId);
    if (row === null) throw new OvertakenError();
    const answer = isWaiting
      ? rowOfWaiting(row, device, { connectionId: '', seenAt: this.clock.now(), address: publicAddressOf(tx.remoteAddress) })
      : { ...row, ...(staysDescribed ? withoutGaps(reported) : {}) };
    return { row, answer, formerConnectionId: staysConnected ? '' : (existing?.connectionId ?? ''), keyChange };
  }

  /** Checks that the tenant requires approval of the new keys of known devices. */
  private async needsApproval(tx: InTransaction<RequestContext>, tenantId: string): Promise<boolean> {
    return (await this.tenantSettings.list({ ...tx, tenantId })).requireApprovalForNewDeviceKeys === true;
  }
}

type Writable<T> = T extends readonly (infer I)[] ? I[] : T;
type WithoutNulls<T> = { [K in keyof T]?: Writable<NonNullable<T[K]>> };

/** The values without those that are null, which leave the stored value unchanged. */
function withoutNulls<T extends object>(values: T): WithoutNulls<T>;
function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
