import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { DeviceUpdateRequestDto, SignedDto } from '#libs/contracts';

import { SYSTEM } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { DevicePresence } from '../../device-link/device-presence.js';
import { AcceptedUpdates, type AgentConnection } from './accepted-updates.js';
import { knownDeviceOf, NEW_DEVICE, type KnownDevice } from './known-device.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { FailedReportsNotice } from './notices/failed-reports-notice.js';
import { WrongClockNotice } from './notices/wrong-clock-notice.js';
import { ReportMetrics } from './report-metrics.js';
import { UnattendedDevices } from './unattended-devices.js';
import { UpdateRefusal } from './update-acceptance.js';
import {
  checkFreshness,
  DECOMMISSIONED,
  isRefused,
  outcomeOf,
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

/** Most checks of an update against the row before it counts as overtaken by updates through other connections. */
const MAXIMUM_READS = 3;

/**
 * Handles agents' reports of their devices. An update is received, identified with a device that the server knows, verified, found
 * fresh, and written; the first step that fails is the reason of its refusal.
 */
@Injectable()
export class DeviceUpdatesService {
  private readonly logger = new Logger('DeviceUpdates');
  private readonly wrongClocks = new WrongClockNotice(this.logger);
  private readonly failures = new FailedReportsNotice(this.logger);

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly known: KnownDevicesRepository,
    private readonly unattended: UnattendedDevices,
    private readonly presence: DevicePresence,
    private readonly accepted: AcceptedUpdates,
    private readonly metrics: ReportMetrics,
  ) {}

  /** Handles an unsigned update, which only a device without a stored key may send. Never rejects. */
  acceptUnsigned(connection: AgentConnection, report: DeviceUpdateRequestDto): Promise<UpdateOutcome> {
    return this.inTurn(connection, { report, envelope: null });
  }

  /** Handles a signed update. Never rejects. */
  acceptSigned(connection: AgentConnection, envelope: SignedDto<DeviceUpdateRequestDto>): Promise<UpdateOutcome> {
    return this.inTurn(connection, { report: envelope.dto, envelope });
  }

  /** Handles the updates of one connection one after another: they keep their order, and an agent that floods delays only itself. */
  private async inTurn(connection: AgentConnection, update: ReceivedUpdate): Promise<UpdateOutcome> {
    const { lastUpdate } = connection;
    const answered = lastUpdate === undefined ? this.answer(connection, update) : lastUpdate.then(() => this.answer(connection, update));
    connection.lastUpdate = answered;
    const outcome = await answered;
    // The promise holds the answer, which an idle agent needs no more.
    if (connection.lastUpdate === answered) connection.lastUpdate = undefined;
    return outcome;
  }

  private async answer(connection: AgentConnection, update: ReceivedUpdate): Promise<UpdateOutcome> {
    const begun = performance.now();
    try {
      const decision = await this.decide(connection, update);
      this.noteAnswer(decision, begun);
      if (decision.outcome === 'refused' && decision.clockOffset !== undefined) {
        this.wrongClocks.note(update.report.id, decision.clockOffset, this.clock.milliseconds());
      }
      return outcomeOf(decision);
    } catch (error) {
      this.failures.note(update.report.id, error, performance.now());
      const decision = refused(UpdateRefusal.Failed);
      this.noteAnswer(decision, begun);
      return outcomeOf(decision);
    }
  }

  private noteAnswer(decision: Accepted | Refused | Decommissioned, begun: number): void {
    const reason = decision.outcome === 'refused' ? decision.reason : undefined;
    this.metrics.answered(decision.outcome, (performance.now() - begun) / 1_000, reason);
  }

  private async decide(connection: AgentConnection, update: ReceivedUpdate): Promise<Accepted | Refused | Decommissioned> {
    const remembered = this.accepted.rememberedBy(connection, update.report.id);
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
      ? this.accepted.noteWaiting(connection, update.report, device, fresh)
      : this.accepted.store(connection, update.report, device, fresh);
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
