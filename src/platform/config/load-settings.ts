import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { administratorOf, serviceAccountOf } from './bootstrap-settings.js';
import { CONNECTION_STRING_FORM, type DatabaseSettings, parseConnectionString, parseHost } from './database-settings.js';
import { contradictionsOfForwarding, forwardingOf } from './forwarding-settings.js';
import { isLoopback } from './values/kinds.js';
import { hasMailServer } from './mail-server.js';
import { type GroupValues, NUMBER, type Option, OPTIONS, type OptionValues } from './options.js';
import { openIdConnectOf } from './open-id-connect-settings.js';
import { OptionMistake, type OptionWarning, warningsOf } from './option-warnings.js';
import { nameEach, OptionReader } from './option-reader.js';
import { readCertificates } from './values/pem-files.js';
import type { Settings } from './settings.js';
import { plainVariables, secretsFolder, serviceVariables, settingsFile, type Source, SourceError } from './sources.js';

/** The configuration is invalid. The message has one line per problem and contains no secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `- ${problem}`)].join('\n'));
  }
}

export interface SettingsRequest {
  readonly env: NodeJS.ProcessEnv;
  /** The folder that relative paths start from. */
  readonly cwd: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** Warnings for the operator about likely mistakes. */
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration. The last of these that names an option wins: settings file, environment, secrets folder.
 * @throws ConfigurationError that lists every option with an unusable value, and the expected form
 */
export function loadSettings({ env, cwd }: SettingsRequest): LoadedSettings {
  const problems: string[] = [];
  const unused: string[] = [];
  const reader = new OptionReader(openSources(env, cwd, problems), problems);
  const environment = env.NODE_ENV === 'development' ? 'development' : 'production';
  const values = readAll(reader);
  const database = databaseOf(values, reader, problems, unused);
  const bootstrap = {
    serviceAccount: serviceAccountOf(values.bootstrap, problems),
    administrator: administratorOf(values.bootstrap, problems),
  };
  const openIdConnect = openIdConnectOf(readNumbered(reader, OPTIONS.openIdConnect), problems);
  if (values.metrics.port !== 0 && values.metrics.port === values.service.port) {
    problems.push(`${reader.nameOf(OPTIONS.metrics.port)}: metrics need a port of their own, not the public one (${values.service.port}).`);
  }
  const forwarding = forwardingOf(values.forwarding, reader, cwd, problems);
  problems.push(...problemsOfNodes(values.nodes, database, reader));
  const natsCaFile = readCertificates(values.nodes.natsCaFile, reader.nameOf(OPTIONS.nodes.natsCaFile), cwd, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const warnings: OptionWarning[] = [
    ...warningsOf(OptionMistake.WithoutEffect, unused),
    ...warningsOf(OptionMistake.Unknown, reader.unknownNames()),
    ...warningsOf(OptionMistake.WithoutEffect, reader.withoutEffect()),
    ...warningsOf(OptionMistake.Contradiction, contradictions(values, environment)),
  ];
  const enableApiBrowserUi = reader.isSet(OPTIONS.appOptions.enableApiBrowserUi)
    ? values.appOptions.enableApiBrowserUi
    : environment === 'development';
  const settings: Settings = {
    environment,
    port: values.service.port,
    bindAddress: values.service.bindAddress,
    dataPath: resolve(cwd, values.service.dataPath),
    dataPathIsExplicit: reader.isSet(OPTIONS.service.dataPath),
    webPath: resolve(cwd, values.service.webPath),
    database,
    appOptions: { ...values.appOptions, enableApiBrowserUi },
    bootstrap,
    serverLifecycle: values.serverLifecycle,
    openIdConnect,
    agentBundle: { ...values.agentBundle, folder: resolve(cwd, values.agentBundle.folder) },
    backup: { ...values.backup, folder: values.backup.folder === '' ? '' : resolve(cwd, values.backup.folder) },
    events: values.events,
    webhooks: values.webhooks,
    forwarding,
    nodes: { ...values.nodes, natsCaFile },
    telemetryDashboard: values.telemetryDashboard,
    metrics: values.metrics,
    logging: values.logging,
    warnings,
  };
  return { settings: deepFreeze(settings), warnings: warnings.map(({ text }) => text) };
}

function openSources(env: NodeJS.ProcessEnv, cwd: string, problems: string[]): Source[] {
  const sources: Source[] = [plainVariables(env), serviceVariables(env)];
  const open = (read: () => Source, place: 'first' | 'last'): void => {
    try {
      if (place === 'first') sources.unshift(read());
      else sources.push(read());
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.push(error.message);
    }
  };
  // Problems of these two options are reported with all the others.
  const file = new OptionReader(sources, []);
  const path = resolve(cwd, file.read(OPTIONS.service.settingsFile));
  if (file.isSet(OPTIONS.service.settingsFile) || existsSync(path)) open(() => settingsFile(path), 'first');
  const secrets = new OptionReader(sources, []);
  if (secrets.read(OPTIONS.appOptions.enableDockerSecrets)) {
    open(() => secretsFolder(resolve(cwd, secrets.read(OPTIONS.service.secretsPath))), 'last');
  }
  return sources;
}

function readAll(reader: OptionReader): OptionValues {
  return {
    service: readGroup(reader, OPTIONS.service),
    connectionStrings: readGroup(reader, OPTIONS.connectionStrings),
    postgres: readGroup(reader, OPTIONS.postgres),
    appOptions: readGroup(reader, OPTIONS.appOptions),
    bootstrap: readGroup(reader, OPTIONS.bootstrap),
    serverLifecycle: readGroup(reader, OPTIONS.serverLifecycle),
    agentBundle: readGroup(reader, OPTIONS.agentBundle),
    backup: readGroup(reader, OPTIONS.backup),
    events: readGroup(reader, OPTIONS.events),
    webhooks: readGroup(reader, OPTIONS.webhooks),
    forwarding: readGroup(reader, OPTIONS.forwarding),
    nodes: readGroup(reader, OPTIONS.nodes),
    telemetryDashboard: readGroup(reader, OPTIONS.telemetryDashboard),
    metrics: readGroup(reader, OPTIONS.metrics),
    logging: readGroup(reader, OPTIONS.logging),
  };
}

function readGroup<G extends Readonly<Record<string, Option<unknown>>>>(reader: OptionReader, group: G): GroupValues<G> {
  const values = Object.entries(group).map(([name, option]) => [name, reader.read(option)]);
  // The table's types make this cast safe: each name's value comes from its own option.
  return Object.fromEntries(values);
}

/** The values of options that are given once for each number, by number. */
function readNumbered<G extends Readonly<Record<string, Option<unknown>>>>(reader: OptionReader, group: G): Map<string, GroupValues<G>> {
  const numbers = reader.numbersOf(Object.values(group));
  const groupOf = (number: string): G => {
    const options = Object.entries(group).map(([name, option]) => [name, { ...option, key: option.key.replace(NUMBER, number) }]);
    return Object.fromEntries(options);
  };
  return new Map(numbers.map((number) => [number, readGroup(reader, groupOf(number))]));
}

function databaseOf(values: OptionValues, reader: OptionReader, problems: string[], unused: string[]): DatabaseSettings {
  const connectionString = values.connectionStrings.default;
  const postgresOptions = Object.values<Option<unknown>>(OPTIONS.postgres);
  const hasPostgresVariables = postgresOptions.some((option) => reader.isSet(option));
  if (connectionString !== '') {
    const name = reader.nameOf(OPTIONS.connectionStrings.default);
    if (hasPostgresVariables) unused.push(`${name} names the database; the POSTGRES_ variables are not used.`);
    const parsed = parseConnectionString(connectionString);
    // Their names are not shown: one may be half of a password with an unquoted semicolon.
    if (parsed && parsed.ignored > 0) unused.push(`${name}: ${parsed.ignored} of its parts are not known and not used.`);
    if (parsed) return parsed.database;
    problems.push(`${name}: expected ${CONNECTION_STRING_FORM}.`);
    return { kind: 'bundled' };
  }
  if (!hasPostgresVariables) return { kind: 'bundled' };
  const { host, port, user, password, database } = values.postgres;
  const address = parseHost(host === '' ? 'localhost' : host);
  if (!address) {
    problems.push(`${reader.nameOf(OPTIONS.postgres.host)}: expected a host name or a postgres:// address.`);
    return { kind: 'bundled' };
  }
  return {
    kind: 'external',
    host: address.host,
    port: address.port ?? port,
    user,
    ...(password === '' ? {} : { password }),
    database: database === '' ? user : database,
    ssl: false,
  };
}

/** One signs, and another is accepted while it is replaced. */
const MAXIMUM_NODE_SECRETS = 2;

/** One line for each option of several nodes that contradicts another one, or is missing. */
function problemsOfNodes(nodes: OptionValues['nodes'], { kind }: DatabaseSettings, reader: OptionReader): string[] {
  const names = nameEach(OPTIONS.nodes, reader);
  const { nats, natsSeed, natsUser, natsPassword, natsWithoutTls, secret } = nodes;
  if (nats.length === 0) {
    const isMeant = (option: Option<unknown>): boolean =>
      reader.isSet(option) && option.kind.format(reader.read(option)) !== option.kind.format(option.defaultValue);
    const lone = Object.values<Option<unknown>>(OPTIONS.nodes).filter(isMeant);
    return lone.map((option) => `${reader.nameOf(option)}: has a meaning with ${names.nats} only, which is missing.`);
  }
  const problems: string[] = [];
  if (kind === 'bundled') {
    const database = reader.nameOf(OPTIONS.connectionStrings.default);
    problems.push(`${names.nats}: several nodes need a PostgreSQL of their own, which ${database} names. The bundled one serves one node.`);
  }
  if (natsSeed === '' && natsUser === '')
    problems.push(`${names.nats}: needs ${names.natsSeed}, or ${names.natsUser} and ${names.natsPassword}.`);
  if (natsSeed !== '' && natsUser !== '') problems.push(`${names.natsUser}: cannot be used beside ${names.natsSeed}.`);
  if ((natsUser === '') !== (natsPassword === '')) problems.push(`${names.natsUser} and ${names.natsPassword}: are set together.`);
  if (secret.length === 0) problems.push(`${names.secret}: is needed with ${names.nats}, the same on all processes.`);
  if (secret.length > MAXIMUM_NODE_SECRETS) problems.push(`${names.secret}: expected two secrets at most.`);
  const isOpen = (address: string): boolean => address.startsWith('nats:') && !isLoopback(new URL(address));
  if (!natsWithoutTls && nats.some(isOpen)) {
    problems.push(`${names.nats}: NATS on another machine needs tls://, unless ${names.natsWithoutTls} says that the network is trusted.`);
  }
  return problems;
}

/** One line for each pair of options that contradict each other. */
function contradictions({ appOptions, forwarding }: OptionValues, environment: Settings['environment']): string[] {
  const isInProduction = environment === 'production';
  const lines: string[] = [];
  if (isInProduction && hasMailServer(appOptions) && !appOptions.disableEmailSending && appOptions.publicUrl === '') {
    lines.push('A mail server is configured, but no mail is sent: the links in mails need AppOptions:PublicUrl.');
  }
  if (isInProduction && !hasMailServer(appOptions) && appOptions.requireUserEmailConfirmation && !appOptions.disableEmailSending) {
    lines.push('AppOptions:RequireUserEmailConfirmation is on, but there is no mail server that could send what users would confirm with.');
  }
  if (appOptions.disableEmailSending && appOptions.requireUserEmailConfirmation) {
    lines.push(
      'AppOptions:RequireUserEmailConfirmation is on, but AppOptions:DisableEmailSending keeps the mail back that users would confirm with.',
    );
  }
  if (appOptions.corsAllowedOrigins.length > 0 && !appOptions.enableCors) {
    lines.push('AppOptions:CorsAllowedOrigins has no effect while AppOptions:EnableCors is off.');
  }
  if (appOptions.enableNetworkTrust && appOptions.knownProxies.length + appOptions.knownNetworks.length > 0) {
    lines.push('AppOptions:EnableNetworkTrust trusts everyone; AppOptions:KnownProxies and AppOptions:KnownNetworks have no effect.');
  }
  for (const { name, id, secret } of [
    { name: 'GitHub', id: appOptions.gitHubClientId, secret: appOptions.gitHubClientSecret },
    { name: 'Microsoft', id: appOptions.microsoftClientId, secret: appOptions.microsoftClientSecret },
  ]) {
    if ((id === '') === (secret === '')) continue;
    lines.push(`Nobody signs in with ${name}: AppOptions:${name}ClientId and AppOptions:${name}ClientSecret are set together.`);
  }
  return [...lines, ...contradictionsOfForwarding(forwarding)];
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
