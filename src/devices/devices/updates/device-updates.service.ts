import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { DeviceResponseDto, DeviceUpdateRequestDto, SignedDto } from '#libs/contracts';

import { SYSTEM } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { AgentVersion } from '../../agent-updates/agent-version.js';
import { DeviceFeed } from '../../device-link/device-feed.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import { publicAddressOf } from '../row/device-columns.js';
import { detailsOf, digestOf, figuresOf, isComplete } from '../row/device-details.js';
import type { DeviceRow } from '../row/device-fields.js';
import { toDeviceResponse } from '../row/device-row.js';
import { DeviceKeysRepository } from './device-keys.repository.js';
import { KeysInForce } from './keys-in-force.js';
import { knownDeviceOf, NEW_DEVICE, type KnownDevice } from './known-device.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { reportedRow, rowOfWaiting } from './reported-row.js';
import { UnattendedDevices } from './unattended-devices.js';
import { UpdateRefusal } from './update-acceptance.js';
import {
  checkFreshness,
  DECOMMISSIONED,
  isRefused,
  outcomeOf,
  OVERTAKEN,
  refused,
  verify,
  type Accepted,
  type Decommissioned,
  type FreshUpdate,
  type Overtaken,
  type ReceivedUpdate,
  type Refused,
  type UpdateOutcome,
} from './update-decision.js';
import { UpdateWriter } from './update-writer.js';
import { WrongClockNotice } from './wrong-clock-notice.js';

/** Memory of an agent's connection about the device that it speaks for, so that its next update needs no read. */
export interface AgentSession extends KnownDevice {
  readonly deviceId: string;
  /** Age of the memory of connections (`DeviceUpdatesService.age`) when this was noted. */
  readonly age: number;
}

/** The connection that an update came through. */
export interface AgentConnection {
  readonly connectionId: string;
  readonly remoteAddress: string | undefined;
  /** True if the agent can still be reached through it. */
  readonly isOpen: boolean;
  /** Set by this service; undefined before the first accepted update. */
  session: AgentSession | undefined;
  /** Set by this service: settles when the last update of this connection has been answered, and never rejects. */
  lastUpdate: Promise<unknown>;
}

/** Most checks of an update against the row before it counts as overtaken by updates through other connections. */
const MAXIMUM_READS = 3;

/**
 * Handles agents' reports of their devices. An update is received, identified with a device that the server knows, verified, found
 * fresh, and written; the first step that fails is the reason of its refusal.
 */
@Injectable()
export class DeviceUpdatesService implements InvalidationListener {
  private readonly logger = new Logger('DeviceUpdates');
  private readonly wrongClocks = new WrongClockNotice(this.logger);
  /** Grows whenever connections may remember devices whose tenant is gone. */
  private age = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly known: KnownDevicesRepository,
    private readonly writer: UpdateWriter,
    private readonly unattended: UnattendedDevices,
    private readonly presence: DevicePresence,
    private readonly keys: DeviceKeysRepository,
    private readonly keysInForce: KeysInForce,
    private readonly feed: DeviceFeed,
    private readonly agentVersion: AgentVersion,
    invalidations: InvalidationBus,
  ) {
    invalidations.subscribe(this);
  }

  /** A device that changes is noticed by its next update, which compares itself with the row. */
  forget(): void {}

  /** Forgets all devices, whose next updates read them again: a tenant may be gone without a trace in the rows of its devices yet. */
  forgetAll(): void {
    this.age += 1;
  }

  /** Handles an unsigned update, which only a device without a stored key may send. Never rejects. */
  acceptUnsigned(connection: AgentConnection, report: DeviceUpdateRequestDto): Promise<UpdateOutcome> {
    return this.inTurn(connection, { report, envelope: null });
  }

  /** Handles a signed update. Never rejects. */
  acceptSigned(connection: AgentConnection, envelope: SignedDto<DeviceUpdateRequestDto>): Promise<UpdateOutcome> {
    return this.inTurn(connection, { report: envelope.dto, envelope });
  }

  /** Marks the device of a connection that ended offline, unless it has been reached through another connection since. */
  async disconnected({ connectionId, session }: AgentConnection): Promise<void> {
    if (session !== undefined) await this.release(session.deviceId, connectionId);
  }

  /** Pushes the stored state of a device to its subscribers. Calls at the same time share a few queries. */
  async publish(deviceId: string): Promise<void> {
    const row = await this.known.find(deviceId);
    if (row !== null) this.feed.publish(toDeviceResponse(row, await this.agentVersion.current()));
  }

  /** Handles the updates of one connection one after another: they keep their order, and an agent that floods delays only itself. */
  private inTurn(connection: AgentConnection, update: ReceivedUpdate): Promise<UpdateOutcome> {
    const outcome = connection.lastUpdate.then(() => this.answer(connection, update));
    connection.lastUpdate = outcome;
    return outcome;
  }

  private async answer(connection: AgentConnection, update: ReceivedUpdate): Promise<UpdateOutcome> {
    try {
      const decision = await this.decide(connection, update);
      if (decision.outcome === 'refused' && decision.clockOffset !== undefined) {
        this.wrongClocks.note(update.report.id, decision.clockOffset, this.clock.milliseconds());
      }
      return outcomeOf(decision);
    } catch (error) {
      const cause = error instanceof Error ? error.stack : String(error);
      this.logger.error({ message: UpdateRefusal.Failed, deviceId: update.report.id, error: cause });
      return outcomeOf(refused(UpdateRefusal.Failed));
    }
  }

  private async decide(connection: AgentConnection, update: ReceivedUpdate): Promise<Accepted | Refused | Decommissioned> {
    const remembered = this.rememberedBy(connection, update.report.id);
    if (remembered !== undefined) {
      const result = await this.apply(connection, update, remembered);
      // The memory may be outdated: only the row can refuse.
      if (result.outcome === 'accepted' || result.outcome === 'decommissioned') return result;
    }
    for (let reads = 0; reads < MAXIMUM_READS; reads += 1) {
      const device = await this.identify(connection, update);
      if ('outcome' in device) return device;
      const result = await this.apply(connection, update, device);
      if (result.outcome !== 'overtaken') return result;
    }
    return refused(UpdateRefusal.Stale);
  }

  /**
   * Returns the connection's memory of the device, unless its key waits for approval, or the device has been reached through another
   * connection since.
   */
  private rememberedBy({ connectionId, session }: AgentConnection, deviceId: string): KnownDevice | undefined {
    return session?.deviceId === deviceId &&
      session.age === this.age &&
      !session.isKeyPending &&
      !session.isWaiting &&
      this.presence.connectionOf(deviceId) === connectionId
      ? session
      : undefined;
  }

  /** The device as its row stands. One without a row is added where agents may register themselves, once its update is checked. */
  private async identify(connection: AgentConnection, update: ReceivedUpdate): Promise<KnownDevice | Refused | Decommissioned> {
    const row = await this.known.find(update.report.id);
    const namedKey = update.envelope?.publicKey ?? null;
    if (row !== null) return knownDeviceOf(row, namedKey);
    const unknown = this.unattended.refusalOfUnknown(update);
    if (unknown !== null) return unknown;
    const fresh = await this.check(update, NEW_DEVICE);
    if (isRefused(fresh)) return fresh;
    if (this.settings.serverLifecycle.decommissionServer) return DECOMMISSIONED;
    const notAdded = await this.unattended.add(this.systemContext(connection), update.report, fresh.publicKey);
    if (notAdded !== null) return notAdded;
    const added = await this.known.find(update.report.id);
    return added === null ? refused(UpdateRefusal.UnknownDevice) : knownDeviceOf(added, namedKey);
  }

  /** Checks an update against the known state of its device, and writes it. */
  private async apply(
    connection: AgentConnection,
    update: ReceivedUpdate,
    device: KnownDevice,
  ): Promise<Accepted | Refused | Decommissioned | Overtaken> {
    const keyless = this.unattended.refusalOfKeyless(update, device);
    if (keyless !== null) return keyless;
    const fresh = await this.check(update, device);
    if (isRefused(fresh)) return fresh;
    // Only the agent of the device takes it along.
    if (this.settings.serverLifecycle.decommissionServer)
      return device.isWaiting ? DECOMMISSIONED : this.decommission(connection, update.report.id);
    return device.isWaiting
      ? this.acceptWaiting(connection, update.report, device, fresh)
      : this.write(connection, update.report, device, fresh);
  }

  private async check(update: ReceivedUpdate, device: KnownDevice): Promise<FreshUpdate | Refused> {
    const verified = await verify(update, device);
    if (isRefused(verified)) return verified;
    return checkFreshness(verified, device, this.clock.milliseconds(), this.settings.appOptions.agentClockSkewTolerance);
  }

  private async decommission(connection: AgentConnection, deviceId: string): Promise<Decommissioned> {
    await this.unattended.removeDecommissioned(this.systemContext(connection), deviceId);
    this.presence.offline(deviceId, connection.connectionId);
    return DECOMMISSIONED;
  }

  /** Notes a report with a key that waits beside the one in force. Nothing of the report is stored or passed on. */
  private async acceptWaiting(
    connection: AgentConnection,
    report: DeviceUpdateRequestDto,
    device: KnownDevice,
    { publicKey, key, ticks }: FreshUpdate,
  ): Promise<Accepted | Overtaken> {
    const { connectionId } = connection;
    const deviceId = report.id;
    if (!(await this.keys.noteWaiting(deviceId, publicKey, ticks))) return OVERTAKEN;
    const former = connection.session;
    connection.session = { ...device, deviceId, publicKey, key, lastUpdateTicks: ticks ?? device.lastUpdateTicks, age: this.age };
    this.presence.onlinePending(deviceId, connectionId, publicKey);
    // An approval that came before the presence was noted is found there.
    this.keysInForce.look(deviceId);
    await this.leave(connection, former);
    const row = await this.known.find(deviceId);
    if (row === null) return OVERTAKEN;
    const address = publicAddressOf(connection.remoteAddress ?? null);
    const told = rowOfWaiting(row, report, { connectionId, seenAt: this.clock.now(), address });
    return { outcome: 'accepted', response: toDeviceResponse(told, await this.agentVersion.current()) };
  }

  /** Stores a fresh update, makes the connection the device's own, and tells subscribers. */
  private async write(
    connection: AgentConnection,
    report: DeviceUpdateRequestDto,
    device: KnownDevice,
    { publicKey, key, ticks }: FreshUpdate,
  ): Promise<Accepted | Overtaken> {
    const { connectionId } = connection;
    const { age } = this;
    const details = detailsOf(report);
    const detailsDigest = digestOf(details);
    const seenAt = this.clock.now();
    const written = await this.writer.update({
      deviceId: report.id,
      connectionId,
      seenAt,
      figures: figuresOf(report),
      details: device.isKeyPending || detailsDigest === device.detailsDigest ? null : details,
      publicKey,
      ticks,
      address: publicAddressOf(connection.remoteAddress ?? null),
    });
    if (written === null) return OVERTAKEN;

    const former = connection.session;
    const { isKeyPending } = written;
    connection.session = {
      deviceId: report.id,
      publicKey,
      key,
      isKeyPending,
      isWaiting: false,
      lastUpdateTicks: ticks ?? device.lastUpdateTicks,
      detailsDigest: device.isKeyPending ? device.detailsDigest : detailsDigest,
      age,
    };
    if (isKeyPending) this.presence.onlinePending(report.id, connectionId, publicKey);
    else this.presence.online(report.id, connectionId, publicKey);

    const reported = reportedRow(report, details, written, connectionId, seenAt);
    const response = await this.tell(reported, isComplete(details) && !device.isKeyPending, isKeyPending);

    await this.leave(connection, former);
    return { outcome: 'accepted', response };
  }

  /** Releases the device that a connection spoke for before its update, and the present one when the connection has ended since. */
  private async leave(connection: AgentConnection, former: AgentSession | undefined): Promise<void> {
    const { connectionId, session } = connection;
    // A connection speaks for one device: the former one is no longer reached through it.
    if (former !== undefined && former.deviceId !== session?.deviceId) await this.release(former.deviceId, connectionId);
    // If the connection ended while the update was written, nothing else would mark the device offline.
    if (!connection.isOpen) await this.disconnected(connection);
  }

  /**
   * Tells subscribers of a device after its update, and returns the answer to its agent. `isStored` says that the whole report is stored.
   */
  private async tell(reported: DeviceRow, isStored: boolean, isKeyPending: boolean): Promise<DeviceResponseDto> {
    const stored = isStored && !isKeyPending ? null : await this.known.find(reported.id);
    // An approval that came before the presence was noted is found here.
    if (isKeyPending) this.keysInForce.look(reported.id);
    const agentVersion = await this.agentVersion.current();
    const state = toDeviceResponse(stored ?? reported, agentVersion);
    this.feed.publish(state);
    // An agent that waits for approval is not told the device's earlier reports.
    return isKeyPending ? toDeviceResponse(reported, agentVersion) : state;
  }

  private async release(deviceId: string, connectionId: string): Promise<void> {
    this.presence.offline(deviceId, connectionId);
    const wasWritten = await this.writer.disconnect({ deviceId, connectionId, seenAt: this.clock.now() });
    if (wasWritten) await this.publish(deviceId);
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
