import type { EntityManager } from 'typeorm';

import { AdministratorsRepository } from '../../access/authorization/administrators/administrators.repository.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import type { Settings } from '../../platform/config/settings.js';
import { NodeTimes } from '../../platform/node/node-times.js';
import { findingsOf, type Check } from './check.js';
import { dataFolderFindings } from './checks/data-folder.js';
import { databaseFindings } from './checks/database.js';
import { openRegistrationFindings, optionFindings, type UsersOfServer } from './checks/options.js';
import { Area, skipped, worstOf, type Finding } from './finding.js';
import { dataFolderFacts } from './probes/data-folder.js';
import { databaseFacts, hasSchema } from './probes/database.js';

/** The database as the doctor can use it, or the fault that keeps it away. */
export type ReachedDatabase = { readonly manager: EntityManager } | { readonly fault: Finding };

/** An installation under examination. */
export interface Installation {
  readonly settings: Settings;
  readonly database: ReachedDatabase;
  readonly clock: Clock;
}

/** The result of an examination. */
export interface DoctorReport {
  readonly release: string;
  readonly at: Date;
  readonly severity: ReturnType<typeof worstOf>;
  readonly findings: readonly Finding[];
}

/** Time-outs of checks, in milliseconds. */
const LIMIT_MS = { database: 15_000, dataFolder: 10_000, options: 10_000 };
const WITHOUT_DATABASE = 'Not checked, because the database cannot be used.';

/** Runs all checks at the same time. Changes nothing. */
export async function examine(installation: Installation): Promise<DoctorReport> {
  const results = await Promise.all(checksOf(installation).map(findingsOf));
  return reportOf(results.flat(), installation.clock.milliseconds());
}

/** The report about findings. */
export function reportOf(findings: readonly Finding[], at: number): DoctorReport {
  return { release: SERVICE_VERSION, at: new Date(at), severity: worstOf(findings), findings };
}

function checksOf(installation: Installation): readonly Check[] {
  const { settings, clock } = installation;
  return [
    { area: Area.Configuration, subject: 'the options', limitMs: LIMIT_MS.options, run: () => optionFindings(settings) },
    withDatabase(installation, {
      area: Area.Configuration,
      subject: 'registration',
      ask: async (manager) => ((await hasSchema(manager)) ? openRegistrationFindings(settings, await usersIn(manager, clock)) : []),
    }),
    databaseCheck(installation, new NodeTimes().clockToleranceMs),
    {
      area: Area.DataFolder,
      subject: 'the data folder',
      limitMs: LIMIT_MS.dataFolder,
      run: async () => dataFolderFindings(await dataFolderFacts(settings.dataPath), settings.appOptions.uploadSpoolReserve),
    },
  ];
}

function databaseCheck({ database, clock }: Installation, clockToleranceMs: number): Check {
  return {
    area: Area.Database,
    subject: 'the database',
    limitMs: LIMIT_MS.database,
    run: async () =>
      'fault' in database ? [database.fault] : databaseFindings(await databaseFacts(database.manager, clock), clockToleranceMs),
  };
}

interface DatabaseQuestion {
  readonly area: Area;
  readonly subject: string;
  readonly ask: (manager: EntityManager) => Promise<readonly Finding[]>;
}

/** A check that needs the database, and is skipped without it. */
function withDatabase({ database }: Installation, { area, subject, ask }: DatabaseQuestion): Check {
  const run = (): Promise<readonly Finding[]> | readonly Finding[] =>
    'fault' in database ? [skipped(area, `${capitalized(subject)}: ${WITHOUT_DATABASE}`)] : ask(database.manager);
  return { area, subject, limitMs: LIMIT_MS.database, run };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

async function usersIn(manager: EntityManager, clock: Clock): Promise<UsersOfServer> {
  const [users, isAdministered] = await Promise.all([
    manager.query<unknown[]>('SELECT 1 FROM users LIMIT 1'),
    new AdministratorsRepository(clock).serverHasUser(manager),
  ]);
  return { exist: users.length > 0, isAdministered };
}
