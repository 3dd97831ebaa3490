import type { KeyObject } from 'node:crypto';

import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import {
  hubFailure,
  hubValue,
  type DeviceResponseDto,
  type DeviceUpdateRequestDto,
  type HubResultOf,
  type SignedDto,
} from '#libs/contracts';

import { SYSTEM } from '../../authentication/principal.js';
import type { RequestContext } from '../../authentication/request-context.js';
import { Clock } from '../../common/clock.js';
import { EMPTY_GUID } from '../../common/guid.js';
import { Settings } from '../../config/settings.js';
import { DeviceFeed } from '../../device-link/device-feed.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import { AgentVersion } from '../../server/agent-version.js';
import { TenantsService } from '../../tenants/tenants.service.js';
import { publicAddressOf } from '../device-columns.js';
import { detailsOf, digestOf, figuresOf, isComplete, type DeviceDetails } from '../device-details.js';
import { toDeviceResponse, type DeviceRow } from '../device-row.js';
import { KnownDevicesRepository, type KnownDeviceRow } from './known-devices.repository.js';
import { isStale, readPublicKey, UpdateRefusal, verifySignature } from './update-acceptance.js';
import { UnattendedChanges } from './unattended-changes.js';
import { UpdateWriter } from './update-writer.js';
import type { WrittenDevice } from './update-writer.repository.js';

/** What an agent's connection remembers of the device that it speaks for, so that its next update reads nothing. */
export interface AgentSession {
  readonly deviceId: string;
  readonly tenantId: string;
  readonly publicKey: string;
  readonly key: KeyObject | null;
  readonly lastUpdateTicks: bigint;
  readonly detailsDigest: string;
}

/** The connection that an update came through. */
export interface AgentConnection {
  readonly connectionId: string;
  readonly remoteAddress: string | undefined;
  /** Whether the agent can still be reached through it. */
  readonly isOpen: boolean;
  /** Kept by this service; undefined before the first accepted update. */
  session: AgentSession | undefined;
  /** Kept by this service: settles, never rejects, when the last update of this connection has been answered. */
  lastUpdate: Promise<unknown>;
}

/** The outcome of an update, and what the gateway must do besides answering. */
export interface UpdateOutcome {
  readonly result: HubResultOf<DeviceResponseDto>;
  /** The server is decommissioned: the agent must be told to uninstall itself. */
  readonly uninstall: boolean;
}

const DECOMMISSIONED = 'Server is decommissioned.';
const NO_TENANT = 'No tenants found.';
const SEVERAL_TENANTS = 'More than one tenant exists: register the device with an installer key.';
const UNEXPECTED = 'An error occurred while updating the device.';

/** Reads of a row that other connections write meanwhile, before an update of it counts as overtaken. */
const MAXIMUM_READS = 3;

type Refused = { readonly refusal: string; readonly uninstall?: boolean };

/** Accepts or refuses what agents report of their devices, in the order of the contract's steps, and marks them online and offline. */
@Injectable()
export class DeviceUpdatesService {
  private readonly logger = new Logger('DeviceUpdates');

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly known: KnownDevicesRepository,
    private readonly writer: UpdateWriter,
    private readonly unattended: UnattendedChanges,
    private readonly tenants: TenantsService,
    private readonly presence: DevicePresence,
    private readonly feed: DeviceFeed,
    private readonly agentVersion: AgentVersion,
  ) {}

  /** An unsigned update: only for devices that have no stored key. */
  acceptUnsigned(connection: AgentConnection, dto: DeviceUpdateRequestDto): Promise<UpdateOutcome> {
    return this.accept(connection, dto, null);
  }

  /** A signed update. */
  acceptSigned(connection: AgentConnection, signed: SignedDto<DeviceUpdateRequestDto>): Promise<UpdateOutcome> {
    return this.accept(connection, signed.dto, signed);
  }

  /** The connection ended: the device is offline unless another connection took it over. */
  async disconnected({ connectionId, session }: AgentConnection): Promise<void> {
    if (session !== undefined) await this.release(session.deviceId, connectionId);
  }

  /** Pushes the stored state of a device to its subscribers. However many are pushed at once, they share a few queries. */
  async publish(deviceId: string): Promise<void> {
    const row = await this.known.find(deviceId);
    if (row !== null) this.feed.publish(toDeviceResponse(row, await this.agentVersion.current()));
  }

  private async release(deviceId: string, connectionId: string): Promise<void> {
    this.presence.offline(deviceId, connectionId);
    const wasWritten = await this.writer.disconnect({ deviceId, connectionId, seenAt: this.clock.now() });
    if (wasWritten) await this.publish(deviceId);
  }

  /** One update of a connection after the other: its reports keep their order, and one that floods takes one turn at a time. */
  private accept(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
  ): Promise<UpdateOutcome> {
    const outcome = connection.lastUpdate.then(() => this.outcomeOf(connection, dto, signed));
    connection.lastUpdate = outcome;
    return outcome;
  }

  private async outcomeOf(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
  ): Promise<UpdateOutcome> {
    try {
      const outcome = await this.decide(connection, dto, signed);
      return 'refusal' in outcome
        ? { result: hubFailure(outcome.refusal), uninstall: outcome.uninstall === true }
        : { result: hubValue(outcome), uninstall: false };
    } catch (error) {
      this.logger.error({ message: UNEXPECTED, deviceId: dto.id, error: error instanceof Error ? error.stack : String(error) });
      return { result: hubFailure(UNEXPECTED), uninstall: false };
    }
  }

  private async decide(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
  ): Promise<DeviceResponseDto | Refused> {
    const remembered = this.rememberedBy(connection, dto.id);
    if (remembered !== undefined) {
      const outcome = await this.check(connection, dto, signed, remembered);
      // A refusal may come of what is remembered: the device was deleted or registered anew behind the connection's back.
      if (outcome !== null && (!('refusal' in outcome) || outcome.uninstall === true)) return outcome;
    }
    const known = await this.checkStored(connection, dto, signed);
    if (known !== 'unknown') return known;
    const refused = await this.addUnknown(connection, dto, signed);
    if (refused !== null) return refused;
    const added = await this.checkStored(connection, dto, signed);
    return added === 'unknown' ? { refusal: UpdateRefusal.UnknownDevice } : added;
  }

  /** What the connection remembers of the device, unless the device has been reached through another one since. */
  private rememberedBy({ connectionId, session }: AgentConnection, deviceId: string): AgentSession | undefined {
    return session?.deviceId === deviceId && this.presence.connectionOf(deviceId) === connectionId ? session : undefined;
  }

  /** Checks against the row; reads it again when another connection changed it between the read and the write. */
  private async checkStored(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
  ): Promise<DeviceResponseDto | Refused | 'unknown'> {
    for (let reads = 0; reads < MAXIMUM_READS; reads += 1) {
      const row = await this.known.find(dto.id);
      if (row === null) return 'unknown';
      const outcome = await this.check(connection, dto, signed, sessionOf(row));
      if (outcome !== null) return outcome;
    }
    return { refusal: UpdateRefusal.Stale };
  }

  /** Judges an update by what is known of the device and writes it; null when the row was not there as expected. */
  private async check(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
    session: AgentSession,
  ): Promise<DeviceResponseDto | Refused | null> {
    const proof = signed === null ? unsignedProof(session) : await this.proofOf(signed, session);
    if ('refusal' in proof) return proof;
    if (this.settings.serverLifecycle.decommissionServer) return this.decommission(connection, dto.id);

    const details = detailsOf(dto);
    const detailsDigest = digestOf(details);
    const seenAt = this.clock.now();
    const written = await this.writer.update({
      deviceId: dto.id,
      connectionId: connection.connectionId,
      seenAt,
      figures: figuresOf(dto),
      details: detailsDigest === session.detailsDigest ? null : details,
      publicKey: proof.publicKey,
      ticks: proof.ticks,
      address: publicAddressOf(connection.remoteAddress ?? null),
    });
    if (written === null) return null;
    const former = connection.session;
    connection.session = {
      deviceId: dto.id,
      tenantId: written.tenantId,
      publicKey: proof.publicKey,
      key: proof.key,
      lastUpdateTicks: proof.ticks ?? session.lastUpdateTicks,
      detailsDigest,
    };
    this.presence.online(dto.id, connection.connectionId);
    const response = await this.responseOf(connection, dto, details, written, seenAt);
    this.feed.publish(response);
    // A connection stands for one device: the one that it spoke for before is not reached through it any more.
    if (former !== undefined && former.deviceId !== dto.id) await this.release(former.deviceId, connection.connectionId);
    // It may have ended while the update was written, and nobody else would mark the device offline.
    if (!connection.isOpen) await this.disconnected(connection);
    return response;
  }

  private async proofOf(signed: SignedDto<DeviceUpdateRequestDto>, session: AgentSession): Promise<Proof | Refused> {
    // A different key in the envelope never replaces a stored one.
    const publicKey = session.publicKey === '' ? signed.publicKey : session.publicKey;
    const key = session.key ?? readPublicKey(publicKey);
    if (typeof key === 'string') return { refusal: key };
    if (!(await verifySignature(key, signed))) return { refusal: UpdateRefusal.Signature };
    const tolerance = this.settings.appOptions.agentClockSkewTolerance;
    const { ticks } = signed.timestamp;
    if (isStale(ticks, session.lastUpdateTicks, this.clock.milliseconds(), tolerance)) return { refusal: UpdateRefusal.Stale };
    return { publicKey: publicKey ?? '', key, ticks: tolerance === null ? null : ticks };
  }

  /**
   * Adds a device that the server has never seen, or says why not: only where agents may register themselves, on a server
   * of one tenant, whatever tenant the agent names.
   */
  private async addUnknown(
    connection: AgentConnection,
    dto: DeviceUpdateRequestDto,
    signed: SignedDto<DeviceUpdateRequestDto> | null,
  ): Promise<Refused | null> {
    // The all-zero id stands for none: registration refuses it too.
    if (!this.settings.appOptions.allowAgentsToSelfBootstrap || dto.id === EMPTY_GUID) return { refusal: UpdateRefusal.UnknownDevice };
    const nobody: AgentSession = { deviceId: dto.id, tenantId: '', publicKey: '', key: null, lastUpdateTicks: 0n, detailsDigest: '' };
    const proof = signed === null ? unsignedProof(nobody) : await this.proofOf(signed, nobody);
    if ('refusal' in proof) return proof;
    if (this.settings.serverLifecycle.decommissionServer) return { refusal: DECOMMISSIONED, uninstall: true };
    const context = this.systemContext(connection);
    const tenant = await this.tenants.soleTenant(context);
    if (tenant === 'none') return { refusal: NO_TENANT };
    if (tenant === 'several') return { refusal: SEVERAL_TENANTS };
    await this.unattended.addSelfBootstrapped(context, { id: dto.id, tenantId: tenant.id, name: detailsOf(dto).name ?? '' });
    return null;
  }

  private async decommission(connection: AgentConnection, deviceId: string): Promise<Refused> {
    await this.unattended.removeDecommissioned(this.systemContext(connection), deviceId);
    this.presence.offline(deviceId, connection.connectionId);
    return { refusal: DECOMMISSIONED, uninstall: true };
  }

  private async responseOf(
    { connectionId }: AgentConnection,
    dto: DeviceUpdateRequestDto,
    details: DeviceDetails,
    written: WrittenDevice,
    seenAt: Date,
  ): Promise<DeviceResponseDto> {
    if (!isComplete(details)) {
      const row = await this.known.find(dto.id);
      if (row !== null) return toDeviceResponse(row, await this.agentVersion.current());
    }
    const row: DeviceRow = {
      id: dto.id,
      tenant_id: written.tenantId,
      customer_id: written.customerId,
      customer_name: written.customerName,
      name: details.name ?? '',
      alias: written.alias,
      agent_version: details.agentVersion ?? '',
      connection_id: connectionId,
      dns_host_name: details.dnsHostName,
      os_description: details.osDescription ?? '',
      local_ip_v4: details.localIpV4 ?? '',
      local_ip_v6: details.localIpV6 ?? '',
      public_ip_v4: written.publicIpV4,
      public_ip_v6: written.publicIpV6,
      cpu_utilization: dto.cpuUtilization,
      total_memory: dto.totalMemory,
      used_memory: dto.usedMemory,
      total_storage: dto.totalStorage,
      used_storage: dto.usedStorage,
      processor_count: details.processorCount,
      is64_bit: details.is64Bit,
      is_online: true,
      last_seen: seenAt,
      os_architecture: details.osArchitecture,
      platform: details.platform,
      current_users: details.currentUsers ?? [],
      mac_addresses: details.macAddresses ?? [],
      drives: details.drives ?? [],
      tag_ids: written.tagIds,
    };
    return toDeviceResponse(row, await this.agentVersion.current());
  }

  private systemContext({ connectionId, remoteAddress }: AgentConnection): RequestContext {
    return {
      principal: SYSTEM,
      tenantId: null,
      requestId: connectionId,
      remoteAddress: remoteAddress ?? null,
      manager: this.dataSource.manager,
    };
  }
}

/** What an update proved: the key that it holds and the time that must not be used again. */
interface Proof {
  readonly publicKey: string;
  readonly key: KeyObject | null;
  readonly ticks: bigint | null;
}

function unsignedProof(session: AgentSession): Proof | Refused {
  return session.publicKey === '' ? { publicKey: '', key: null, ticks: null } : { refusal: UpdateRefusal.SignatureRequired };
}

function sessionOf(row: KnownDeviceRow): AgentSession {
  const key = row.public_key === '' ? null : readPublicKey(row.public_key);
  return {
    deviceId: row.id,
    tenantId: row.tenant_id,
    publicKey: row.public_key,
    key: typeof key === 'string' ? null : key,
    lastUpdateTicks: BigInt(row.last_update_ticks),
    detailsDigest: digestOf(storedDetails(row)),
  };
}

/** The stored details in the member order of a report, so that equal ones have equal digests. */
function storedDetails(row: KnownDeviceRow): DeviceDetails {
  return {
    name: row.name,
    agentVersion: row.agent_version,
    is64Bit: row.is64_bit,
    osArchitecture: row.os_architecture,
    osDescription: row.os_description,
    platform: row.platform,
    processorCount: row.processor_count,
    currentUsers: row.current_users,
    macAddresses: row.mac_addresses,
    localIpV4: row.local_ip_v4,
    localIpV6: row.local_ip_v6,
    drives: row.drives.map((drive) => ({
      name: drive.name,
      driveType: drive.driveType,
      rootDirectory: drive.rootDirectory,
      driveFormat: drive.driveFormat,
      freeSpace: drive.freeSpace,
      totalSize: drive.totalSize,
      volumeLabel: drive.volumeLabel,
    })),
    dnsHostName: row.dns_host_name,
  };
}
