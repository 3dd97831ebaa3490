import { Injectable, type OnApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { correlationOf, idOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { LogRetentions, type TenantExpiry } from '../../access/log-retention/log-retentions.js';
import { RetainedLog } from '../../access/log-retention/retained-log.js';
import { inBatches } from '../../platform/common/concurrency/in-batches.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { ActivityWriter } from './activity-writer.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import { DeviceActivityOutcome, type DeviceActivityKind, type SessionConsent } from './device-activity-kinds.js';
import { type ActivityRecord, type BegunActivity, RepeatedRecords } from './repeated-records.js';
import { RunningActivity } from './running-activity.js';

/** Records that one statement deletes. Small batches keep other writers from waiting. */
const REMOVAL_BATCH = 5_000;
/** Longest path that is recorded, in characters; of a longer one its beginning. */
const MAXIMUM_SUBJECT = 1_024;

/** The actor of an activity, and the id of the request or connection. */
export type ActivityActor = Pick<RequestContext, 'principal' | 'remoteAddress' | 'requestId'>;

/** Kind of an activity, its device and its subject. */
export interface ActivityOnDevice {
  readonly kind: DeviceActivityKind;
  readonly tenantId: string | null;
  /** Null when it is not known. */
  readonly deviceId: string | null;
  /** The path of the transfer or the change, or the id of the session at the relay. */
  readonly subject?: string;
  /** The facts of a remote control session. */
  readonly remoteControl?: RemoteControlFacts;
}

/** Facts of a remote control session when it is asked for. */
export interface RemoteControlFacts {
  /** The session of the operating system. */
  readonly desktopSession: number;
  readonly isViewOnly: boolean;
  readonly consent: SessionConsent;
}

/**
 * The audit record of callers' activities on devices: caller, device, times, number of bytes. A record is written when its activity
 * begins, so that a crash hides none, and completed when it ends. Those that a crash left open are ended by the next start, without
 * their bytes.
 */
@Injectable()
export class DeviceActivities implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<RunningActivity>();
  private readonly repeated = new RepeatedRecords();

  constructor(
    private readonly writer: ActivityWriter,
    private readonly repository: DeviceActivitiesRepository,
    private readonly dataSource: DataSource,
    private readonly node: ServerNode,
    private readonly retentions: LogRetentions,
    private readonly clock: Clock,
  ) {}

  /** Once this node is in the list of nodes, and those of earlier processes are not any more. */
  async onApplicationBootstrap(): Promise<void> {
    await this.repository.interrupt(this.clock.now());
  }

  async onApplicationShutdown(): Promise<void> {
    for (const activity of this.running) activity.end(DeviceActivityOutcome.Interrupted);
    await this.writer.flush();
  }

  /** Settles when the records that were begun or ended by now are written, or the database has refused them for now. */
  settled(): Promise<void> {
    return this.writer.settled();
  }

  /** Begins the record of an activity. Its caller must end it in every case. */
  begin(actor: ActivityActor, what: ActivityOnDevice): RunningActivity {
    return this.run(this.open(this.describe(actor, what)));
  }

  /** Records an activity that lasts as long as the work. Work that throws has failed. */
  record<T>(actor: ActivityActor, what: ActivityOnDevice, work: (activity: RunningActivity) => Promise<T>): Promise<T> {
    return lasting(this.begin(actor, what), work);
  }

  /** The same for repeated activities: a repetition continues the record of the last one. See RepeatedRecords. */
  recordRepeated<T>(actor: ActivityActor, what: ActivityOnDevice, work: (activity: RunningActivity) => Promise<T>): Promise<T> {
    const begun = this.describe(actor, what);
    let record = this.repeated.find(begun);
    if (record === undefined) {
      record = this.open(begun);
      this.repeated.add(record);
    }
    return lasting(this.run(record), work);
  }

  /**
   * Ends the records of nodes that are gone, deletes those older than `DeviceActivityRetentionDays` and those of tenants that keep theirs for
   * a shorter time. Returns how many it deleted.
   */
  async cleanUp(signal: AbortSignal): Promise<number> {
    await this.repository.interrupt(this.clock.now());
    const before = this.retentions.serverExpiry(RetainedLog.DeviceActivity);
    let removed = before === null ? 0 : await inBatches(signal, () => this.repository.removeOlder(before, REMOVAL_BATCH));
    for await (const expiry of this.retentions.tenantExpiries(this.dataSource.manager, RetainedLog.DeviceActivity, signal)) {
      removed += await this.removeOf(expiry, signal);
    }
    return removed;
  }

  /** Deletes records of a tenant, device by device: only together with the device does an index lead to its oldest ones. */
  private async removeOf({ tenantId, before }: TenantExpiry, signal: AbortSignal): Promise<number> {
    let removed = await inBatches(signal, () => this.repository.removeOlderWithoutDevice(tenantId, before, REMOVAL_BATCH));
    for await (const deviceIds of this.repository.devicesOf(tenantId)) {
      if (signal.aborted) break;
      removed += await inBatches(signal, () => this.repository.removeOlderOf(tenantId, deviceIds, before, REMOVAL_BATCH));
    }
    return removed;
  }

  private describe(
    { principal, remoteAddress, requestId }: ActivityActor,
    { kind, tenantId, deviceId, subject, remoteControl }: ActivityOnDevice,
  ): BegunActivity {
    return {
      id: newGuid(),
      tenantId,
      deviceId,
      kind,
      principalKind: principal.type,
      principalId: idOf(principal),
      principalName: principal.name,
      ipAddress: remoteAddress,
      correlationId: requestId,
      ...correlationOf(principal),
      subject: subject === undefined ? null : storable(subject),
      desktopSession: remoteControl?.desktopSession ?? null,
      isViewOnly: remoteControl?.isViewOnly ?? null,
      consent: remoteControl?.consent ?? null,
      nodeId: this.node.id,
      startedAt: this.clock.now(),
    };
  }

  /** Writes a record before its activity has ended. */
  private open(begun: BegunActivity): ActivityRecord {
    this.writer.add({ ...begun, endedAt: null, bytesIn: 0, bytesOut: 0, outcome: null });
    return { begun, bytesIn: 0, bytesOut: 0, lastUsedAt: begun.startedAt.getTime() };
  }

  /** Runs an activity that completes the record when it ends. */
  private run(record: ActivityRecord): RunningActivity {
    const activity = new RunningActivity(record.begun.consent, ({ bytesIn, bytesOut, consent }, outcome) => {
      this.running.delete(activity);
      const endedAt = this.clock.now();
      record.bytesIn += bytesIn;
      record.bytesOut += bytesOut;
      record.lastUsedAt = endedAt.getTime();
      this.writer.add({ ...record.begun, consent, endedAt, bytesIn: record.bytesIn, bytesOut: record.bytesOut, outcome });
    });
    this.running.add(activity);
    return activity;
  }
}

/** Does the work of an activity and ends it. */
async function lasting<T>(activity: RunningActivity, work: (activity: RunningActivity) => Promise<T>): Promise<T> {
  try {
    const result = await work(activity);
    activity.end(DeviceActivityOutcome.Completed);
    return result;
  } catch (error) {
    activity.end(DeviceActivityOutcome.Failed);
    throw error;
  }
}

/** A text that the database takes. */
function storable(text: string): string {
  return text.slice(0, MAXIMUM_SUBJECT).toWellFormed().replaceAll('\0', '');
}
