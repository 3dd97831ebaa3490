import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { CreateDeviceRequestDto } from '#libs/contracts';

import { SYSTEM } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../access/authorization/evaluation/rules.js';
import { PermissionPrincipalKind } from '../../../access/authorization/permissions/permission.js';
import { conflict, invalid, invalidField, notFound, type DomainError } from '../../../platform/common/errors/errors.js';
import { EMPTY_GUID } from '../../../platform/common/identifiers/guid.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { TenantSettingsService } from '../../../tenants/tenant-settings/tenant-settings.service.js';
import { AgentVersion } from '../../agent-updates/agent-version.js';
import { InstallerKeyRedemption, type KeyOwner } from '../../installer-keys/installer-key-redemption.js';
import { DeviceEvents } from '../device-events.js';
import type { DeviceResponseDto } from '../device.dto.js';
import { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { isPendingAfter, KeyChange, keyChangeOf, keyColumns, keyInForce, waitsBeside } from '../key-approvals/key-change.js';
import { fingerprintOf } from '../key-approvals/key-fingerprint.js';
import { publicAddressOf } from '../row/device-columns.js';
import { detailsOf, figuresOf, withoutGaps } from '../row/device-details.js';
import type { DeviceRow } from '../row/device-fields.js';
import { toDeviceJson } from '../row/device-row.js';
import { rowOfWaiting } from '../updates/reported-row.js';
import { readPublicKey } from '../updates/update-acceptance.js';
import { needsNothing, needsOf, requireAllowed, type RegistrationNeeds } from './registration-rules.js';
import { RegistrationRepository } from './registration.repository.js';

/** Origin of a registration. */
export interface RegistrationOrigin {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/**
 * The device is reached through no connection, and its next update is compared with no earlier one. Nothing proved that the agent that is
 * connected is the one that registered.
 */
const DISCONNECTED = { lastUpdateTicks: '0', isOnline: false, connectionId: '', nodeId: null };

/** Most attempts at a registration when other transactions register or delete the device. */
const MAXIMUM_ATTEMPTS = 3;

/** A registered device. */
interface Registered {
  readonly row: DeviceRow;
  /** The answer to its agent. */
  readonly answer: DeviceRow;
  /** The hub connection that it had before and that must prove itself again; empty when there is none. */
  readonly formerConnectionId: string;
  readonly keyChange: KeyChange;
}

/** Another request registered the device after this registration had looked for it. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/**
 * Registers devices with installer keys. A device is added to the tenant of the key, even if the agent names another. All refusals that
 * could confirm a guess have the same message.
 */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly repository: RegistrationRepository,
    private readonly devices: DevicesRepository,
    private readonly keys: InstallerKeyRedemption,
    private readonly authorization: AuthorizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly agentVersion: AgentVersion,
    private readonly events: DeviceEvents,
    private readonly tenantSettings: TenantSettingsService,
  ) {}

  /** Registers a new or a known device: 400 for a bad key or body, 403 when the key's creator may not do it. */
  async register(request: CreateDeviceRequestDto, origin: RegistrationOrigin): Promise<DeviceResponseDto> {
    if (request.device.id === EMPTY_GUID) throw invalidField('device.id', 'device.id is required.');
    // Agents without a key omit it or send an empty text.
    const publicKey = request.publicKey === '' ? null : request.publicKey;
    if (publicKey !== null && typeof readPublicKey(publicKey) === 'string') {
      throw invalidField('publicKey', 'publicKey must be an Ed25519 key: base64 of 32 bytes.');
    }
    if (publicKey === null && this.settings.appOptions.requireDeviceKeys) {
      throw invalidField('publicKey', 'publicKey is required: this server takes devices with a key only.');
    }
    const context: RequestContext = { principal: SYSTEM, tenantId: null, manager: this.dataSource.manager, ...origin };
    const { row, answer, formerConnectionId, keyChange } = await this.attempt(context, { ...request, publicKey });
    const device = { id: row.id, tenantId: row.tenantId };
    this.events.emit('registered', { ...device, formerConnectionId, name: row.name, keyChange });
    this.events.emit('changed', device);
    return toDeviceJson(answer, await this.agentVersion.current());
  }

  /** 404 when every registration with this key would be refused. Neither uses the key nor deletes one that is used up. */
  async requireKey(id: string, secret: string): Promise<void> {
    const { manager } = this.dataSource;
    const owner = await this.keys.look(manager, id, secret);
    if (owner === null || (await this.repository.creator(manager, owner)) === null)
      throw notFound('An installer key with this id and secret');
  }

  private async attempt(context: RequestContext, request: CreateDeviceRequestDto, attempt = 1): Promise<Registered> {
    const owner = await this.keys.check(context, request.installerKeyId, request.installerKeySecret);
    if (owner === null) throw refused();
    try {
      return await this.unitOfWork.run(context, (tx) => this.write(tx, owner, request));
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
      if (attempt === MAXIMUM_ATTEMPTS) throw conflict('The device is being registered by somebody else.');
      return this.attempt(context, request, attempt + 1);
    }
  }

  /**
   * A key whose creator exists is enough to add a new device, also to a customer. For everything else the creator must be active and
   * hold the permission, and so must the Restricted token with which it made the key. Unrestricted accounts need no permission.
   */
  private async requireAuthority(
    { manager }: InTransaction<RequestContext>,
    owner: KeyOwner,
    needs: RegistrationNeeds,
    device: DeviceResource,
  ): Promise<void> {
    const creator = await this.repository.creator(manager, owner);
    if (creator === null) throw refused();
    if (needsNothing(needs)) return;
    if (!creator.isActive) throw refused();
    if (creator.isUnrestricted) return;
    const { creatorId, creatorKind, creatorTokenId } = owner;
    const rights = this.authorization.storedRights(manager);
    const kind = creatorKind === 'User' ? PermissionPrincipalKind.User : PermissionPrincipalKind.ServiceAccount;
    const boundTo = creatorKind === 'ServerServiceAccount' ? null : owner.tenantId;
    requireAllowed(needs, await rights.rules(kind, creatorId, boundTo), device);
    if (creatorTokenId === null) return;
    if (!(await this.repository.tokenIsActive(manager, creatorTokenId, this.clock.now()))) throw refused();
    requireAllowed(needs, await rights.rules(PermissionPrincipalKind.PersonalAccessToken, creatorTokenId, boundTo), device);
  }

  private async write(
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
    await this.requireAuthority(tx, owner, needsOf(tenantId, existing, wasDeleted, { tagIds, customerId }), {
      kind: 'Device',
      id,
      tenantId,
      customerId: existing === null ? (customerId ?? null) : existing.customerId,
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
      ...withoutNulls({ customerId: customerId ?? null }),
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
        customerId,
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

/** One message for everything about keys, creators, customers and tags: different ones would help to guess. */
function refused(): DomainError {
  return invalid('The device cannot be registered with this installer key.');
}

type Writable<T> = T extends readonly (infer I)[] ? I[] : T;
type WithoutNulls<T> = { [K in keyof T]?: Writable<NonNullable<T[K]>> };

/** The values without those that are null, which leave the stored value unchanged. */
function withoutNulls<T extends object>(values: T): WithoutNulls<T>;
function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
