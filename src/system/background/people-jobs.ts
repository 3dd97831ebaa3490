import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Sessions } from '../../access/authentication/sessions/sessions.js';
import { TokenScopeTrim } from '../../access/permission-assignments/tokens/token-scope-trim.js';
import { removeOverWindows } from '../../people/interactive-login/request-windows.js';
import { LogonTokenCleanup } from '../../people/logon-tokens/logon-token-cleanup.js';
import { PasskeyChallenges } from '../../people/passkeys/passkey-challenges.js';
import { UnknownNames } from '../../people/sign-in/unknown-names.js';
import { ExternalUsersService } from '../../people/users/external-users.service.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { BackgroundJob } from './background-job.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './periods.js';

/** Windows that one run removes. */
const REMOVED_WINDOWS = 100_000;

/** The jobs on users, their tokens and their sign-ins. */
@Injectable()
export class PeopleJobs {
  readonly all: readonly BackgroundJob[];

  constructor(
    dataSource: DataSource,
    externalUsers: ExternalUsersService,
    logonTokens: LogonTokenCleanup,
    sessions: Sessions,
    passkeyChallenges: PasskeyChallenges,
    unknownNames: UnknownNames,
    tokenScopes: TokenScopeTrim,
    clock: Clock,
  ) {
    this.all = [
      new BackgroundJob('external users', DAY_MS, (signal) => externalUsers.removeInactive(signal)),
      new BackgroundJob('logon tokens', HOUR_MS, (signal) => logonTokens.removeSpent(signal)),
      new BackgroundJob('sessions', HOUR_MS, async (signal) => {
        const ended = await sessions.removeEnded(dataSource.manager, signal);
        return ended + (await passkeyChallenges.removeExpired(dataSource.manager, signal));
      }),
      new BackgroundJob('unknown names', HOUR_MS, (signal) => unknownNames.removeOld(signal)),
      new BackgroundJob('request windows', HOUR_MS, () => removeOverWindows(dataSource, clock.now(), REMOVED_WINDOWS)),
      new BackgroundJob('personal access token scopes', 15 * MINUTE_MS, (signal) => tokenScopes.run(signal)),
    ];
  }
}
