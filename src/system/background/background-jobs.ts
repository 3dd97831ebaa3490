import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import { Sessions } from '../../access/authentication/sessions/sessions.js';
import { ChangeLogRetention } from '../../access/change-logs/change-log-retention.js';
import { TokenScopeTrim } from '../../access/permission-assignments/made/token-scope-trim.js';
import { SecurityLog } from '../../access/security-log/security-log.js';
import { DeviceActivities } from '../../devices/device-activity/device-activities.js';
import { DeletedDeviceRetention } from '../../devices/devices/deleted-device-retention.js';
import { InstallerKeysService } from '../../devices/installer-keys/installer-keys.service.js';
import { removeOverWindows } from '../../people/interactive-login/request-windows.js';
import { LogonTokenCleanup } from '../../people/logon-tokens/logon-token-cleanup.js';
import { PasskeyChallenges } from '../../people/passkeys/passkey-challenges.js';
import { UnknownNames } from '../../people/sign-in/unknown-names.js';
import { ExternalUsersService } from '../../people/users/external-users.service.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { TenantRemoval } from '../../tenants/tenants/tenant-removal.js';
import { BackgroundJob } from './background-job.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Windows that one run removes. */
const REMOVED_WINDOWS = 100_000;

/** The scheduled jobs. Each runs at the start and then in its period, once in all processes together. */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly all: readonly BackgroundJob[];
  /** Settles after the last job that was started. Jobs run one after another, to leave database connections to requests. */
  private turns: Promise<unknown> = Promise.resolve();
  private readonly stopped = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly scheduler: SchedulerRegistry,
    externalUsers: ExternalUsersService,
    logonTokens: LogonTokenCleanup,
    installerKeys: InstallerKeysService,
    changeLogs: ChangeLogRetention,
    deviceActivities: DeviceActivities,
    deletedDevices: DeletedDeviceRetention,
    tokenScopes: TokenScopeTrim,
    tenants: TenantRemoval,
    sessions: Sessions,
    passkeyChallenges: PasskeyChallenges,
    securityLog: SecurityLog,
    unknownNames: UnknownNames,
    clock: Clock,
  ) {
    this.all = [
      new BackgroundJob('external users', DAY_MS, (signal) => externalUsers.removeInactive(signal)),
      new BackgroundJob('logon tokens', HOUR_MS, (signal) => logonTokens.removeSpent(signal)),
      new BackgroundJob('installer key usages', 8 * HOUR_MS, () => installerKeys.purgeUsages(dataSource.manager)),
      new BackgroundJob('change log', DAY_MS, (signal) => changeLogs.removeOld(signal)),
      new BackgroundJob('device activities', DAY_MS, (signal) => deviceActivities.cleanUp(signal)),
      new BackgroundJob('deleted devices', DAY_MS, (signal) => deletedDevices.forgetOld(signal)),
      new BackgroundJob('deleted tenants', MINUTE_MS, (signal) => tenants.finishAll(signal)),
      new BackgroundJob('sessions', HOUR_MS, async (signal) => {
        const ended = await sessions.removeEnded(dataSource.manager, signal);
        return ended + (await passkeyChallenges.removeExpired(dataSource.manager, signal));
      }),
      new BackgroundJob('security log', DAY_MS, (signal) => securityLog.removeOld(dataSource.manager, signal)),
      new BackgroundJob('unknown names', HOUR_MS, (signal) => unknownNames.removeOld(signal)),
      new BackgroundJob('request windows', HOUR_MS, () => removeOverWindows(dataSource, clock.now(), REMOVED_WINDOWS)),
      new BackgroundJob('personal access token scopes', 15 * MINUTE_MS, (signal) => tokenScopes.run(signal)),
    ];
  }

  onApplicationBootstrap(): void {
    for (const job of this.all) {
      this.start(job);
      // The scheduler's registry ends the interval when the service stops.
      this.scheduler.addInterval(
        job.name,
        setInterval(() => this.start(job), job.period),
      );
    }
  }

  /** Ends the running job before the database connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.idle();
  }

  /** Settles when no job is running or waiting. */
  async idle(): Promise<void> {
    await this.turns;
  }

  private start(job: BackgroundJob): void {
    const { signal } = this.stopped;
    this.turns = this.turns.then(() => (signal.aborted ? null : job.runIfDue(this.dataSource, signal)));
  }
}
