import { parseUrlText } from './url-text.js';

/** The PostgreSQL server to use: the bundled one or the operator's own. */
export type DatabaseSettings = { readonly kind: 'bundled' } | ExternalDatabaseSettings;

/** The operator's own PostgreSQL server. */
export interface ExternalDatabaseSettings {
  readonly kind: 'external';
  /** Host name, address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** False for a connection without TLS. */
  readonly ssl: false | { readonly rejectUnauthorized: boolean };
}

/** Form of a connection string, to complete the sentence "expected …". */
export const CONNECTION_STRING_FORM =
  'postgres://user:password@host:5432/database or Host=…;Port=5432;Username=…;Password=…;Database=…, with a host and an account';

/** PostgreSQL's names of TLS modes. The service uses no TLS for modes below `require`. */
const SSL_MODES: Readonly<Record<string, ExternalDatabaseSettings['ssl']>> = {
  disable: false,
  allow: false,
  prefer: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true },
};

/** Names of a connection string's parts, as written by various drivers, without spaces and in lower case. */
const PARTS: Readonly<Record<string, string>> = {
  host: 'host',
  server: 'host',
  port: 'port',
  username: 'user',
  userid: 'user',
  user: 'user',
  uid: 'user',
  password: 'password',
  pwd: 'password',
  database: 'database',
  db: 'database',
  sslmode: 'sslmode',
};

interface ConnectionString {
  readonly database: ExternalDatabaseSettings;
  /** Number of parts of the connection string that were ignored. */
  readonly ignored: number;
}

/** Reads a connection string of either form; undefined when it is neither. */
export function parseConnectionString(text: string): ConnectionString | undefined {
  return /^postgres(ql)?:\/\//i.test(text) ? parseUrl(text) : parsePairs(text);
}

/** Host and port of `POSTGRES_HOST`, which may be a whole `postgres://` address. */
export function parseHost(text: string): { readonly host: string; readonly port?: number } | undefined {
  if (!text.includes('://')) return /[\s;]/.test(text) ? undefined : { host: text };
  const url = parseUrlText(text);
  return url?.hostname ? { host: hostOf(url), ...(url.port ? { port: Number(url.port) } : {}) } : undefined;
}

function parseUrl(text: string): ConnectionString | undefined {
  const url = parseUrlText(text);
  if (!url) return undefined;
  const parts = new Map<string, string>();
  let ignored = 0;
  for (const [name, value] of url.searchParams) {
    const part = PARTS[name.toLowerCase()];
    if (part) parts.set(part, value);
    else ignored++;
  }
  try {
    const fromUrl = { host: hostOf(url), port: url.port, user: url.username, password: url.password, database: url.pathname.slice(1) };
    for (const [part, value] of Object.entries(fromUrl)) if (value !== '') parts.set(part, decodeURIComponent(value));
  } catch {
    // A percent sign that does not begin an escape.
    return undefined;
  }
  return assemble(parts, ignored);
}

function parsePairs(text: string): ConnectionString | undefined {
  const parts = new Map<string, string>();
  let ignored = 0;
  // Name=value; a value may be quoted, and a doubled quote inside it stands for one.
  const pair = /\s*([^=;]+?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(?!["'])([^;]*?))\s*(?:;|$)/y;
  while (pair.lastIndex < text.length && text.slice(pair.lastIndex).trim() !== '') {
    const match = pair.exec(text);
    if (!match) return undefined;
    const [, name = '', doubleQuoted, singleQuoted, plain = ''] = match;
    const part = PARTS[name.replaceAll(/[\s_]/g, '').toLowerCase()];
    if (part) parts.set(part, doubleQuoted?.replaceAll('""', '"') ?? singleQuoted?.replaceAll("''", "'") ?? plain);
    else ignored++;
  }
  return assemble(parts, ignored);
}

function assemble(parts: ReadonlyMap<string, string>, ignored: number): ConnectionString | undefined {
  const host = parts.get('host');
  const user = parts.get('user');
  const port = parts.get('port') ?? '5432';
  const ssl = SSL_MODES[(parts.get('sslmode') ?? 'prefer').toLowerCase().replace(/^verify(ca|full)$/, 'verify-$1')];
  if (!host || !user || ssl === undefined || !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) return undefined;
  const password = parts.get('password');
  const database = parts.get('database') ?? user;
  return {
    database: { kind: 'external', host, port: Number(port), user, ...(password === undefined ? {} : { password }), database, ssl },
    ignored,
  };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
