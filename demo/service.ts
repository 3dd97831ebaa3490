import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LocalPostgres } from '#libs/local-postgres';

import { Program } from './program.js';

/** The account of a new service, with its `x-api-key` header value. */
export interface BootstrapAccount {
  readonly key: string;
  /** The variables that make the service create the account. */
  readonly env: Readonly<Record<string, string>>;
}

/** A running service. */
export interface Service {
  readonly program: Program;
  /** The URL of the service without a trailing slash. */
  readonly url: string;
}

/** A bootstrap account with a new secret. */
export function newBootstrapAccount(): BootstrapAccount {
  const tokenId = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  return {
    key: `${keyHex(tokenId)}:${secret}`,
    env: {
      Service_Bootstrap__ServerServiceAccountName: 'automation',
      Service_Bootstrap__ServerServiceAccountTokenId: tokenId,
      Service_Bootstrap__ServerServiceAccountTokenSecret: secret,
    },
  };
}

/** A GUID in the form of keys: 32 hex digits, with the bytes of the first three groups reversed. */
function keyHex(guid: string): string {
  const reversed = (group = ''): string => Buffer.from(group, 'hex').reverse().toString('hex');
  const [first, second, third, ...rest] = guid.split('-');
  return [reversed(first), reversed(second), reversed(third), ...rest].join('').toUpperCase();
}

/** The environment of this process without variables that configure the service. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const configures = /^(service_.*|postgres_.*|port|node_env|node_options|device_management_.*)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !configures.test(name)));
}

/** A service that runs for minutes only does not build agents in the background. */
const WITHOUT_BUILDS = { Service_AgentBundle__BuildAtStart: 'false' };

/**
 * Starts the built service of a project folder without waiting for it. `env` is its whole configuration. Without source maps, which take
 * a fifth of the processor time of a start and change nothing but the lines of stacks.
 */
export function launchService(project: string, cwd: string, env: Readonly<Record<string, string>>): Program {
  const command = [process.execPath, join(project, 'dist/service/main.js')];
  return Program.start('The service', command, { cwd, env: { ...plainEnvironment(), ...WITHOUT_BUILDS, ...env } });
}

/** Waits until a launched service accepts requests. Throws with its output when it ends first, or at the deadline. */
export async function untilListening(program: Program, deadlineMs?: number): Promise<Service> {
  const [, url = ''] = await program.untilPrints(/Listening on (http:\/\/[\w.:[\]]+)\s/, deadlineMs);
  // The address for "all interfaces" cannot be called.
  return { program, url: url.replace('://localhost:', '://127.0.0.1:') };
}

/** Stops a PostgreSQL that a service left running in its data folder. */
export async function stopOrphanedPostgres(dataDirectory: string): Promise<void> {
  if (!existsSync(join(dataDirectory, 'pg', 'postmaster.pid'))) return;
  const silent = (): void => undefined;
  const adopted = await LocalPostgres.start({ dataDirectory, log: { log: silent, warn: silent } });
  await adopted.stop();
}
