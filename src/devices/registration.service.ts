import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';

import type { CreateDeviceRequestDto } from '#libs/contracts';

import { SYSTEM } from '../authentication/principal.js';
import type { RequestContext } from '../authentication/request-context.js';
import { AuthorizationService, DEVICE_TOPIC } from '../authorization/authorization.service.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { Permission, PermissionPrincipalKind } from '../authorization/permission.js';
import type { DeviceResource, Resource, RuleSet } from '../authorization/rules.js';
import { Clock } from '../common/clock.js';
import { conflict, forbidden, invalid, invalidField, type DomainError } from '../common/errors.js';
import { EMPTY_GUID } from '../common/guid.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import { InstallerKeyRedemption, type KeyOwner } from '../installer-keys/installer-key-redemption.js';
import { AgentVersion } from '../server/agent-version.js';
import { publicAddressOf } from './device-columns.js';
import { detailsOf, figuresOf } from './device-details.js';
import { DeviceEvents } from './device-events.js';
import { toDeviceJson, type DeviceRow } from './device-row.js';
import type { DeviceResponseDto } from './device.dto.js';
import { Device } from './device.entity.js';
import { DevicesRepository } from './devices.repository.js';
import { RegistrationRepository, type ExistingDevice } from './registration.repository.js';
import { readPublicKey } from './updates/update-acceptance.js';

/** Where a registration comes from. */
export interface RegistrationOrigin {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/** How often a registration is tried when the device comes or goes under its hands. */
const MAXIMUM_ATTEMPTS = 3;

/** A registered device, and the hub connection that it had until now; empty when there was none. */
interface Registered {
  readonly row: DeviceRow;
  readonly formerConnectionId: string;
}

/** The device was registered, moved or deleted by somebody else after this registration looked at it. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/**
 * Registers devices with installer keys (specification, Agent routes). The device goes to the key's tenant, whatever tenant
 * the agent names. What an outsider could learn by guessing is answered in one sentence.
 */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: RegistrationRepository,
    private readonly devices: DevicesRepository,
    private readonly keys: InstallerKeyRedemption,
    private readonly authorization: AuthorizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly agentVersion: AgentVersion,
    private readonly events: DeviceEvents,
  ) {}

  /** Registers a device or registers it anew: 400 for a bad key or body, 403 where the key's creator may not. */
  async register(request: CreateDeviceRequestDto, origin: RegistrationOrigin): Promise<DeviceResponseDto> {
    if (request.device.id === EMPTY_GUID) throw invalidField('device.id', 'device.id is required.');
    // Agents without a key leave it out or send it empty.
    const publicKey = request.publicKey === '' ? null : request.publicKey;
    if (publicKey !== null && typeof readPublicKey(publicKey) === 'string') {
      throw invalidField('publicKey', 'publicKey must be an Ed25519 key: base64 of 32 bytes.');
    }
    const context: RequestContext = { principal: SYSTEM, tenantId: null, manager: this.dataSource.manager, ...origin };
    const { row, formerConnectionId } = await this.attempt(context, { ...request, publicKey });
    const device = { id: row.id, tenantId: row.tenant_id };
    this.events.emit('registered', { ...device, formerConnectionId });
    this.events.emit('changed', device);
    return toDeviceJson(row, await this.agentVersion.current());
  }

  private async attempt(context: RequestContext, request: CreateDeviceRequestDto, attempt = 1): Promise<Registered> {
    const owner = await this.keys.check(context, request.installerKeyId, request.installerKeySecret);
    if (owner === null) throw refused();
    const existing = await this.repository.device(context.manager, request.device.id);
    await this.requireAuthority(context, owner, existing, request);
    try {
      return await this.unitOfWork.run(context, (tx) => this.write(tx, owner, existing, request));
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
      if (attempt === MAXIMUM_ATTEMPTS) throw conflict('The device is being registered by somebody else.');
      return this.attempt(context, request, attempt + 1);
    }
  }

  /**
   * A key alone adds devices, to a customer too. To take over a known device, to bring it to a customer or to choose tags, its
   * creator must hold the right to do so; a server account must only still be enabled. From one customer to another a device
   * goes by other ways. Decisions are made before the transaction, which holds a connection.
   */
  private async requireAuthority(
    context: RequestContext,
    owner: KeyOwner,
    existing: ExistingDevice | null,
    { device: { id }, tagIds, customerId }: CreateDeviceRequestDto,
  ): Promise<void> {
    if (existing !== null && existing.tenantId !== owner.tenantId) throw forbidden('The device is registered elsewhere.');
    const changesCustomer = existing !== null && customerId !== undefined && existing.customerId !== customerId;
    if (changesCustomer && existing.customerId !== null) throw forbidden('The device belongs to another customer already.');
    const choosesTags = tagIds !== null && (tagIds.length > 0 || existing?.isTagged === true);
    if (existing === null && !choosesTags) return;
    if (!(await this.repository.creatorIsActive(context.manager, owner))) throw refused();
    if (owner.creatorKind === 'ServerServiceAccount') return;

    const kind = owner.creatorKind === 'User' ? PermissionPrincipalKind.User : PermissionPrincipalKind.ServiceAccount;
    const rules = await this.authorization.rules(kind, owner.creatorId, owner.tenantId);
    const resource: DeviceResource = {
      kind: 'Device',
      id,
      tenantId: owner.tenantId,
      customerId: existing === null ? (customerId ?? null) : existing.customerId,
      deviceGroupIds: existing?.deviceGroupIds ?? [],
    };
    if (existing !== null && !rules.decide(Permission.AgentInstall, resource).allowed) {
      throw forbidden('The creator of the installer key may not install the agent on this device again.');
    }
    if (changesCustomer && !mayBringToCustomer(rules, resource)) {
      throw forbidden('The creator of the installer key may not bring this device to a customer.');
    }
    if (choosesTags && !rules.decide(Permission.DeviceTagsWrite, resource).allowed) {
      throw forbidden('The creator of the installer key may not choose the tags of this device.');
    }
  }

  private async write(
    tx: InTransaction<RequestContext>,
    owner: KeyOwner,
    existing: ExistingDevice | null,
    { device, publicKey, tagIds, customerId, installerKeyId, installerKeySecret }: CreateDeviceRequestDto,
  ): Promise<Registered> {
    const { id } = device;
    const { tenantId } = owner;
    if (!(await this.keys.consume(tx, installerKeyId, installerKeySecret, id, tx.remoteAddress))) throw refused();
    if (customerId !== undefined && !(await this.repository.holdCustomer(tx.manager, tenantId, customerId))) throw refused();
    const columns = {
      ...figuresOf(device),
      ...withoutNulls(detailsOf(device)),
      ...withoutNulls(publicAddressOf(tx.remoteAddress)),
      ...withoutNulls({ publicKey, customerId: customerId ?? null }),
      lastUpdateTicks: '0',
      lastSeen: this.clock.now(),
      isOnline: false,
      connectionId: '',
      nodeId: null,
    };
    const formerConnectionId = existing === null ? '' : await this.repository.lockConnection(tx.manager, id);
    if (existing === null) {
      const added = { id, tenantId, createdAt: this.clock.now(), ...columns };
      const { raw } = await tx.manager.createQueryBuilder().insert().into(Device).values(added).orIgnore().returning('id').execute();
      if (!Array.isArray(raw) || raw.length === 0) throw new OvertakenError();
    } else {
      // What was decided holds for the customer that the device had.
      const { affected } = await tx.manager.update(Device, { id, tenantId, customerId: existing.customerId ?? IsNull() }, columns);
      if (affected === 0) throw new OvertakenError();
    }
    if (tagIds !== null && !(await this.repository.replaceTags(tx.manager, tenantId, id, tagIds))) throw refused();
    await this.changeLog.write(tx, {
      action: 'device-registered',
      target: ChangeTarget.Device,
      targetId: id,
      tenantId,
      after: { name: columns.name, installerKeyId, isNew: existing === null, tagIds, customerId },
    });
    tx.transaction.touch(DEVICE_TOPIC, id);
    const row = await this.devices.find(tx.manager, id, tenantId);
    if (row === null) throw new OvertakenError();
    return { row, formerConnectionId };
  }
}

/** Whether the rules let a device that is known come to a customer: as over the customer's own route. */
function mayBringToCustomer(rules: RuleSet, device: DeviceResource): boolean {
  const tenant: Resource = { kind: 'Tenant', tenantId: device.tenantId };
  return rules.decide(Permission.TenantCustomersWrite, tenant).allowed && rules.decide(Permission.DeviceRead, device).allowed;
}

/** One sentence for everything about keys, creators, customers and tags: an answer that tells them apart would help to guess. */
function refused(): DomainError {
  return invalid('The device cannot be registered with this installer key.');
}

type Writable<T> = T extends readonly (infer I)[] ? I[] : T;
type WithoutNulls<T> = { [K in keyof T]?: Writable<NonNullable<T[K]>> };

/** Members that are null leave the stored value as it is. */
function withoutNulls<T extends object>(values: T): WithoutNulls<T>;
function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
