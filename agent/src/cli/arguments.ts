import { parseArgs } from 'node:util';
import { codeOf, messageOf } from '../failures.js';
import type { InstallRequest } from '../service/installation.js';
import { parseServerUri, requireSafeTransport, SettingsError } from '../settings.js';
import { KEY_SECRET_VARIABLE } from './key-secret.js';

/** The command line is wrong; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type CliCommand =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'install';
      readonly request: InstallRequest;
      readonly dataDirectory?: string;
      readonly installsService: boolean;
      /** Fingerprint that the server's key for updates must have. */
      readonly updateKey?: string;
    }
  | { readonly kind: 'run'; readonly instance?: string; readonly dataDirectory?: string }
  | { readonly kind: 'uninstall'; readonly instance?: string; readonly dataDirectory?: string };

export const USAGE = `Usage:
  device-agent install --server <uri> --tenant <guid> [--key-id <guid> --key-secret <secret>]
                       [--device-id <guid>] [--tags <guid,guid>] [--instance <id>] [--data-dir <folder>] [--allow-http] [--no-service]
                       [--update-key <fingerprint>]
  device-agent run [--instance <id>] [--data-dir <folder>]
  device-agent uninstall [--instance <id>] [--data-dir <folder>]

The secret may be given as ${KEY_SECRET_VARIABLE} instead, which other users of this machine cannot see.
Plain http needs --allow-http unless the server is on this machine.
`;

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANCE = /^[A-Za-z0-9_-]{1,50}$/;

const COMMON_OPTIONS = { instance: { type: 'string' }, 'data-dir': { type: 'string' }, help: { type: 'boolean' } } as const;
const INSTALL_OPTIONS = {
  ...COMMON_OPTIONS,
  server: { type: 'string' },
  tenant: { type: 'string' },
  'key-id': { type: 'string' },
  'key-secret': { type: 'string' },
  'device-id': { type: 'string' },
  tags: { type: 'string' },
  'allow-http': { type: 'boolean' },
  'no-service': { type: 'boolean' },
  'update-key': { type: 'string' },
} as const;

/** Parses a command line. Throws UsageError. */
export function parseCommand(args: readonly string[], environment: NodeJS.ProcessEnv): CliCommand {
  const [command, ...rest] = args;
  switch (command) {
    case undefined:
    case 'help':
    case '--help':
      return { kind: 'help' };
    case 'install':
      return parseInstall(rest, environment);
    case 'run':
    case 'uninstall': {
      const values = parsed(() => parseArgs({ args: rest, options: COMMON_OPTIONS }).values);
      return values.help === true ? { kind: 'help' } : { kind: command, ...place(values) };
    }
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

function parseInstall(args: string[], environment: NodeJS.ProcessEnv): CliCommand {
  const values = parsed(() => parseArgs({ args, options: INSTALL_OPTIONS }).values);
  if (values.help === true) return { kind: 'help' };
  const { instance, ...where } = place(values);
  const installerKey = parseKey(values['key-id'], values['key-secret'] ?? environment[KEY_SECRET_VARIABLE]);
  const allowHttp = values['allow-http'] === true;
  const deviceId = values['device-id'];
  for (const option of ['key-secret', 'tags'] as const) {
    if (installerKey === undefined && values[option] !== undefined)
      throw new UsageError(`--${option} needs --key-id: only a registration takes it.`);
  }
  return {
    kind: 'install',
    ...where,
    installsService: values['no-service'] !== true,
    ...(values['update-key'] !== undefined && { updateKey: values['update-key'] }),
    request: {
      serverUri: parseServer(required('server', values.server), allowHttp),
      tenantId: guid('tenant', required('tenant', values.tenant)),
      ...(installerKey !== undefined && { installerKey }),
      ...(allowHttp && { allowHttp }),
      ...(deviceId !== undefined && { deviceId: guid('device-id', deviceId) }),
      ...(values.tags !== undefined && { tagIds: parseTags(values.tags) }),
      ...(instance !== undefined && { instanceId: instance }),
    },
  };
}

function parseKey(id: string | undefined, secret: string | undefined): InstallRequest['installerKey'] {
  if (id === undefined) return undefined;
  if (secret === undefined || secret === '')
    throw new UsageError(`--key-id needs --key-secret, or ${KEY_SECRET_VARIABLE} in the environment.`);
  return { id: guid('key-id', id), secret };
}

function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
    .map((tag) => guid('tags', tag));
}

function parseServer(text: string, isHttpAllowed: boolean): string {
  try {
    const serverUri = parseServerUri(text);
    requireSafeTransport(serverUri, isHttpAllowed);
    return serverUri;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message) : error;
  }
}

function place(values: { instance?: string; 'data-dir'?: string }): { instance?: string; dataDirectory?: string } {
  const { instance } = values;
  if (instance !== undefined && !INSTANCE.test(instance)) throw new UsageError('--instance may hold letters, digits, "-" and "_" only.');
  const dataDirectory = values['data-dir'];
  return { ...(instance !== undefined && { instance }), ...(dataDirectory !== undefined && { dataDirectory }) };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

function guid(name: string, value: string): string {
  if (!GUID.test(value)) throw new UsageError(`--${name} must be a GUID, not "${value}".`);
  return value.toLowerCase();
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw codeOf(error)?.startsWith('ERR_PARSE_ARGS') === true ? new UsageError(messageOf(error)) : error;
  }
}
