import type { EntityManager } from 'typeorm';

import { AdministratorsRepository } from '../../access/authorization/administrators/administrators.repository.js';
import type { StoredSecret } from '../../access/authentication/server-secrets/server-secrets.js';
import { publicBundleKey, requireSameBundleKey } from '../../devices/agent-updates/bundle-key.js';
import { BundleKeyError } from '../../devices/agent-updates/bundle-key-error.js';
import { countServedKeyless } from '../../devices/devices/updates/keyless-devices.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import type { Settings } from '../../platform/config/settings.js';
import { NodeTimes } from '../../platform/node/node-times.js';
import { agentFileFindings, agentSignatureFindings } from './agents.js';
import { backupFolder, backupsIn } from '../backups/running/backup-files.js';
import { findingsOf, type Check } from './check.js';
import { backupFindings } from './checks/backups.js';
import { dataFolderFindings } from './checks/data-folder.js';
import { databaseFindings } from './checks/database.js';
import { keylessFindings } from './checks/devices.js';
import { forwardingFindings } from './checks/forwarding.js';
import { openRegistrationFindings, optionFindings, type UsersOfServer } from './checks/options.js';
import { nodesFindings } from './checks/nodes.js';
import { Area, fault, Severity, skipped, worstOf, type Finding } from './finding.js';
import { mailServerFindings } from './mail.js';
import type { NodesProbe } from './nodes-probe.js';
import { dataFolderFacts } from './probes/data-folder.js';
import { databaseFacts, hasSchema, serviceStart } from './probes/database.js';
import { forwardingStanding, receiverFacts } from './probes/receivers.js';
import { providerFindings } from './providers.js';
import { localAddressOf, localServiceFindings, publicAddressFindings } from './public-address.js';

/** The database as the doctor can use it, or the fault that keeps it away. */
export type ReachedDatabase = { readonly manager: EntityManager } | { readonly fault: Finding };

/** An installation under examination. */
export interface Installation {
  readonly settings: Settings;
  readonly database: ReachedDatabase;
  readonly clock: Clock;
  /** Null in an installation of one node. */
  readonly probeNodes: NodesProbe | null;
  /** True if the service itself examines. */
  readonly isService: boolean;
  /** Length of the silence through the proxy, in milliseconds; 0 leaves it out. */
  readonly silenceMs: number;
  /** Called before the silence. */
  readonly onSilence?: () => void;
}

/** The result of an examination. */
export interface DoctorReport {
  readonly release: string;
  readonly at: Date;
  readonly severity: ReturnType<typeof worstOf>;
  readonly findings: readonly Finding[];
}

/** Time-outs of checks, in milliseconds. */
const LIMIT_MS = { database: 15_000, files: 20_000, options: 10_000, mail: 25_000, providers: 15_000, address: 60_000, nodes: 30_000 };
const WITHOUT_DATABASE = 'not checked, because the database cannot be used.';

/** Runs all checks at the same time. Changes nothing. */
export async function examine(installation: Installation): Promise<DoctorReport> {
  const { settings, isService } = installation;
  const local = isService ? [] : await localServiceFindings(settings);
  const isHere = isService || local.some(({ severity }) => severity === Severity.Ok);
  const secrets = await secretsIn(installation.database);
  const checks = checksOf(installation, secrets, isHere ? localAddressOf(settings) : null);
  const results = await Promise.all(checks.map(findingsOf));
  return reportOf([...local, ...results.flat()], installation.clock.milliseconds());
}

/** The report about findings. */
export function reportOf(findings: readonly Finding[], at: number): DoctorReport {
  return { release: SERVICE_VERSION, at: new Date(at), severity: worstOf(findings), findings };
}

/** Secrets in the database that checks need; null where there are none. */
interface Secrets {
  readonly doctor: Buffer | null;
  readonly agents: StoredSecret | null;
}

function checksOf(installation: Installation, secrets: Secrets, localAddress: URL | null): readonly Check[] {
  const { settings, clock, silenceMs, onSilence = () => undefined } = installation;
  const address = { settings, clock, secret: secrets.doctor, silenceMs, onSilence };
  return [
    check(Area.Configuration, 'the options', LIMIT_MS.options, () => optionFindings(settings)),
    withSchema(installation, Area.Configuration, 'registration', async (manager) =>
      openRegistrationFindings(settings, await usersIn(manager, clock, settings)),
    ),
    check(Area.Database, 'the database', LIMIT_MS.database, () => databaseCheck(installation)),
    check(Area.DataFolder, 'the data folder', LIMIT_MS.files, async () =>
      dataFolderFindings(await dataFolderFacts(settings.dataPath), settings.appOptions.uploadSpoolReserve),
    ),
    check(Area.DataFolder, 'the backups', LIMIT_MS.files, () => backupCheck(installation)),
    check(Area.Address, 'the public address', LIMIT_MS.address + silenceMs, () => publicAddressFindings(address)),
    check(Area.Mail, 'the mail server', LIMIT_MS.mail, () => mailServerFindings(settings)),
    check(Area.Agents, 'the files of agents', LIMIT_MS.files, () => agentFileFindings(settings, clock)),
    check(Area.Agents, 'the signatures of agents', LIMIT_MS.files, () => signatureCheck(settings, secrets, localAddress)),
    withSchema(installation, Area.Agents, 'the keys of devices', async (manager) =>
      keylessFindings(await countServedKeyless(settings, manager)),
    ),
    check(Area.Providers, 'the providers', LIMIT_MS.providers, () => providerFindings(settings, clock)),
    withSchema(installation, Area.Forwarding, 'the receivers of logs', async (manager) =>
      forwardingFindings(await receiverFacts(settings), await forwardingStanding(manager), clock.milliseconds()),
    ),
    ...nodesChecks(installation),
  ];
}

/** The check of several nodes; none where there is one. */
function nodesChecks(installation: Installation): readonly Check[] {
  const { settings, clock, probeNodes } = installation;
  if (probeNodes === null) return [];
  const ask = async (manager: EntityManager): Promise<readonly Finding[]> =>
    nodesFindings(await probeNodes({ settings, manager, clock }), clock.milliseconds());
  return [{ ...withSchema(installation, Area.Nodes, 'the nodes', ask), limitMs: LIMIT_MS.nodes }];
}

const check = (area: Area, subject: string, limitMs: number, run: Check['run']): Check => ({ area, subject, limitMs, run });

async function databaseCheck({ database, clock }: Installation): Promise<readonly Finding[]> {
  if ('fault' in database) return [database.fault];
  return databaseFindings(await databaseFacts(database.manager, clock), new NodeTimes().clockToleranceMs);
}

async function backupCheck({ settings, database, clock }: Installation): Promise<readonly Finding[]> {
  const folder = backupFolder(settings);
  const serviceStartedAt = 'fault' in database ? null : await serviceStart(database.manager);
  return backupFindings({ folder, backups: await backupsIn(folder), at: settings.backup.at, serviceStartedAt, now: clock.milliseconds() });
}

async function signatureCheck(settings: Settings, { agents }: Secrets, address: URL | null): Promise<readonly Finding[]> {
  if (agents === null) return [];
  try {
    await requireSameBundleKey(settings.dataPath, agents);
  } catch (error) {
    if (!(error instanceof BundleKeyError)) throw error;
    return [fault('agent-key-differs', error.message)];
  }
  return address === null ? [] : agentSignatureFindings(settings, address, publicBundleKey(agents.value));
}

/** A check that needs the tables of the service. It is skipped without the database. */
function withSchema(
  { database }: Installation,
  area: Area,
  subject: string,
  ask: (manager: EntityManager) => Promise<readonly Finding[]>,
): Check {
  const run = async (): Promise<readonly Finding[]> => {
    if ('fault' in database) return [skipped(area, `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${WITHOUT_DATABASE}`)];
    return (await hasSchema(database.manager)) ? ask(database.manager) : [];
  };
  return check(area, subject, LIMIT_MS.database, run);
}

async function usersIn(manager: EntityManager, clock: Clock, settings: Settings): Promise<UsersOfServer> {
  const [users, isAdministered] = await Promise.all([
    manager.query<unknown[]>('SELECT 1 FROM users LIMIT 1'),
    new AdministratorsRepository(clock, settings).serverHasUser(manager),
  ]);
  return { exist: users.length > 0, isAdministered };
}

async function secretsIn(database: ReachedDatabase): Promise<Secrets> {
  if ('fault' in database || !(await hasSchema(database.manager))) return { doctor: null, agents: null };
  const rows = await database.manager.query<(StoredSecret & { readonly name: string })[]>('SELECT name, value, source FROM server_secrets');
  const find = (name: string): StoredSecret | null => rows.find((row) => row.name === name) ?? null;
  return { doctor: find('Doctor')?.value ?? null, agents: find('AgentBundles') };
}
