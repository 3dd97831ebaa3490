import { Inject, Injectable, Optional } from '@nestjs/common';

import type { DeviceResponseDto, DeviceUpdateRequestDto } from '#libs/contracts';

import { Clock } from '../../../platform/common/runtime/clock.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { AgentVersion } from '../../agent-updates/agent-version.js';
import { OTHER_NODES, type OtherNodes } from '../../device-link/agent-place.js';
import { DeviceFeed } from '../../device-link/device-feed.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import { publicAddressOf } from '../row/device-columns.js';
import { detailsOf, digestOf, figuresOf, isComplete } from '../row/device-details.js';
import type { DeviceRow } from '../row/device-fields.js';
import { toDeviceResponse } from '../row/device-row.js';
import { DeviceKeysRepository } from './device-keys.repository.js';
import { KeysInForce } from './keys-in-force.js';
import type { KnownDevice } from './known-device.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { reportedRow, rowOfWaiting } from './reported-row.js';
import { OVERTAKEN, type Accepted, type FreshUpdate, type Overtaken } from './update-decision.js';
import { UpdateWriter } from './update-writer.js';

/** Memory of an agent's connection about the device that it speaks for, so that its next update needs no read. */
export interface AgentSession extends KnownDevice {
  readonly deviceId: string;
  /** Age of the memory of connections (`AcceptedUpdates.age`) when this was noted. */
  readonly age: number;
}

/** The connection that an update came through. */
export interface AgentConnection {
  readonly connectionId: string;
  readonly remoteAddress: string | undefined;
  /** True if the agent can still be reached through it. */
  readonly isOpen: boolean;
  /** Set while updates are handled; undefined before the first accepted update. */
  session: AgentSession | undefined;
  /** Set while updates are handled: settles when the last update of this connection has been handled, and never rejects. */
  lastUpdate: Promise<unknown> | undefined;
}

/** Stores accepted updates, and keeps what connections remember of their devices. */
@Injectable()
export class AcceptedUpdates implements InvalidationListener {
  /** Grows whenever connections may remember devices whose tenant is gone. */
  private age = 0;

  constructor(
    private readonly clock: Clock,
    private readonly known: KnownDevicesRepository,
    private readonly writer: UpdateWriter,
    private readonly presence: DevicePresence,
    private readonly keys: DeviceKeysRepository,
    private readonly keysInForce: KeysInForce,
    private readonly feed: DeviceFeed,
    private readonly agentVersion: AgentVersion,
    invalidations: InvalidationBus,
    @Optional() @Inject(OTHER_NODES) private readonly others?: OtherNodes,
  ) {
    invalidations.subscribe(this);
  }

  /** A device that changes is noticed by its next update, which compares itself with the row. */
  forget(): void {}

  /** Forgets all devices, whose next updates read them again: a tenant may be gone without a trace in the rows of its devices yet. */
  forgetAll(): void {
    this.age += 1;
  }

  /** Marks the device of a connection that ended offline, unless it has been reached through another connection since. */
  async disconnected({ connectionId, session }: AgentConnection): Promise<void> {
    if (session !== undefined) await this.release(session.deviceId, connectionId);
  }

  /** Pushes the stored state of a device to its subscribers. Calls at the same time share a few queries. */
  async publish(deviceId: string): Promise<void> {
    // Many agents may leave at once, and nobody may watch most of their devices.
    if (!this.feed.isWatched(deviceId)) return this.feed.publishElsewhere(deviceId);
    const state = await this.stateOf(deviceId);
    if (state !== null) this.feed.publish(state);
  }

  /** As {@link publish}, to the subscribers of this node only. */
  async show(deviceId: string): Promise<void> {
    const state = await this.stateOf(deviceId);
    if (state !== null) this.feed.show(state);
  }

  /**
   * Returns the connection's memory of the device, unless its key waits for approval, or the device has been reached through another
   * connection since.
   */
  rememberedBy({ connectionId, session }: AgentConnection, deviceId: string): KnownDevice | undefined {
    return session?.deviceId === deviceId &&
      session.age === this.age &&
      !session.isKeyPending &&
      !session.isWaiting &&
      this.presence.connectionOf(deviceId) === connectionId
      ? session
      : undefined;
  }

  /** Notes a report with a key that waits beside the one in force. Nothing of the report is stored or passed on. */
  async noteWaiting(
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
    const row = await this.known.read(deviceId);
    if (row === null) return OVERTAKEN;
    const address = publicAddressOf(connection.remoteAddress ?? null);
    const told = rowOfWaiting(row, report, { connectionId, seenAt: this.clock.now(), address });
    return { outcome: 'accepted', response: toDeviceResponse(told, await this.agentVersion.current()) };
  }

  /** Stores a fresh update, makes the connection the device's own, and tells subscribers. */
  async store(
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
      writtenBy: device === connection.session ? connectionId : null,
      publicKey,
      ticks,
      address: publicAddressOf(connection.remoteAddress ?? null),
    });
    if (written === null) return OVERTAKEN;
    if (device.formerPlace !== null) this.others?.superseded(report.id, device.formerPlace);

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
      formerPlace: null,
      age,
    };
    if (isKeyPending) this.presence.onlinePending(report.id, connectionId, publicKey);
    else this.presence.online(report.id, connectionId, publicKey);

    const reported = reportedRow(report, details, written, connectionId, seenAt);
    try {
      const response = await this.tell(reported, isComplete(details) && !device.isKeyPending, isKeyPending);
      return { outcome: 'accepted', response };
    } finally {
      // Also when the row cannot be read: nothing else would mark the device of a connection that has ended offline.
      await this.leave(connection, former);
    }
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
    const stored = isStored && !isKeyPending ? null : await this.known.read(reported.id);
    // An approval that came before the presence was noted is found here.
    if (isKeyPending) this.keysInForce.look(reported.id);
    const agentVersion = await this.agentVersion.current();
    const state = toDeviceResponse(stored ?? reported, agentVersion);
    this.feed.publish(state);
    // An agent that waits for approval is not told the device's earlier reports.
    return isKeyPending ? toDeviceResponse(reported, agentVersion) : state;
  }

  private async stateOf(deviceId: string): Promise<DeviceResponseDto | null> {
    const row = await this.known.read(deviceId);
    return row === null ? null : toDeviceResponse(row, await this.agentVersion.current());
  }

  private async release(deviceId: string, connectionId: string): Promise<void> {
    this.presence.offline(deviceId, connectionId);
    const wasWritten = await this.writer.disconnect({ deviceId, connectionId, seenAt: this.clock.now() });
    if (wasWritten) await this.publish(deviceId);
  }
}
