import { isIP } from 'node:net';
import { isAgeRecipient } from './age-recipient.js';
import { formatDuration, parseDuration } from './duration.js';
import type { PemFile } from './pem-files.js';
import { parseUrlText } from '../url-text.js';

/** Longest value of one option, in characters. */
const MAX_VALUE_LENGTH = 16_384;

/** Most entries of one list. */
const MAX_LIST_LENGTH = 256;

/** The type of an option: how its text is parsed, and how an error message describes it. */
export interface Kind<T> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** True when the option takes several values. */
  readonly isList: boolean;
  /** True when an empty value has a meaning of its own; otherwise an empty value means the default. */
  readonly emptyHasMeaning: boolean;
  /** Parses the texts (one, unless the option is a list); undefined when they are invalid. */
  parse(texts: readonly string[]): T | undefined;
  /** Formats a value as an operator would write it. */
  format(value: T): string;
}

function single<T>(expected: string, read: (text: string) => T | undefined, format: (value: T) => string = String): Kind<T> {
  return {
    expected,
    isList: false,
    emptyHasMeaning: false,
    parse: ([value]) => (value === undefined || value.length > MAX_VALUE_LENGTH ? undefined : read(value)),
    format,
  };
}

/** Any text. */
export function text(): Kind<string> {
  return single('text', (value) => value);
}

/** A PEM file by its path. Its content is read with the other options (`pem-files.ts`). */
export function pemFile(): Kind<PemFile> {
  return single(
    'a file (PEM)',
    (path) => ({ path, pem: '' }),
    ({ path }) => path,
  );
}

/** A secret that is sent in a header: within these lengths, of characters that all clients and servers treat alike. */
export function headerSecret(min: number, max: number): Kind<string> {
  return single(`${min} to ${max} printable ASCII characters, none of them a space at an end`, (value) =>
    value.length >= min && value.length <= max && /^[!-~](?:[ -~]*[!-~])?$/.test(value) ? value : undefined,
  );
}

/** A whole number. */
export function integer(min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = min === Number.MIN_SAFE_INTEGER ? '' : max === Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
  return single(`a whole number${range}`, (value) => {
    const number = Number(value);
    return /^[+-]?\d+$/.test(value) && Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined;
  });
}

const TRUTH: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
};

/** A switch. */
export function boolean(): Kind<boolean> {
  return single('true or false', (value) => TRUTH[value.toLowerCase()]);
}

/** One of a few names, in any case. */
export function choice<const T extends string>(names: readonly T[]): Kind<T> {
  return single(`one of ${names.join(', ')}`, (value) => names.find((name) => name.toLowerCase() === value.toLowerCase()));
}

/** A duration in milliseconds. Empty means null, which switches the feature off. */
export function durationOrOff(): Kind<number | null> {
  return {
    ...single<number | null>('a duration such as 00:01:00 (or empty for off)', (value) =>
      value === '' || value.toLowerCase() === 'null' ? null : parseDuration(value),
    ),
    emptyHasMeaning: true,
    format: (value) => (value === null ? '' : formatDuration(value)),
  };
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** A time of day in minutes after midnight. Empty means null, which switches the feature off. */
export function timeOfDayOrOff(): Kind<number | null> {
  return {
    ...single<number | null>('a time of day from 00:00 to 23:59 such as 02:30 (or empty for off)', (value) => {
      if (value === '') return null;
      const [, hours, minutes] = TIME_OF_DAY.exec(value) ?? [];
      return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
    }),
    emptyHasMeaning: true,
    format: (value) => (value === null ? '' : formatTimeOfDay(value)),
  };
}

function formatTimeOfDay(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A GUID in lower case, or null when empty. The form without hyphens is refused, because in keys it has another byte order. */
export function guidOrNone(): Kind<string | null> {
  return single<string | null>(
    'a GUID with hyphens, not all zero',
    (value) => (GUID.test(value) && /[1-9a-f]/i.test(value) ? value.toLowerCase() : undefined),
    (value) => value ?? '',
  );
}

/** An http or https address without a slash at its end, or empty. */
export function webAddress(): Kind<string> {
  return single('an address that starts with http:// or https://', (value) => {
    const url = parseUrlText(value);
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) return undefined;
    return url.href.replace(/\/+$/, '');
  });
}

/** The address of a receiver, which may have a query but no user name and password. */
export function receiverAddress(): Kind<string> {
  return single('an address that starts with http:// or https://, without user name and password', (value) => {
    const url = parseUrlText(value);
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.hash) return undefined;
    return url.href;
  });
}

/** The address of a receiver of syslog. */
export function syslogAddress(): Kind<string> {
  return single('an address such as tls://logs.example.org:6514, tcp://…:601 or udp://…:514', (value) => {
    const url = parseUrlText(value);
    if (!url || !['tls:', 'tcp:', 'udp:'].includes(url.protocol) || url.hostname === '' || !(Number(url.port) > 0)) return undefined;
    return url.href === `${url.protocol}//${url.host}${url.pathname}` && ['', '/'].includes(url.pathname)
      ? `${url.protocol}//${url.host}`
      : undefined;
  });
}

/** The address of a server of NATS. A user name and a password in it are refused: they are options of their own. */
export function natsAddress(): Kind<string> {
  return single('an address such as nats://nats-1:4222 or tls://nats-1:4222, without user name and password', (value) => {
    const url = parseUrlText(value);
    if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '' || url.username || url.password) return undefined;
    return url.href === `${url.protocol}//${url.host}${url.pathname}` && ['', '/'].includes(url.pathname)
      ? `${url.protocol}//${url.host}`
      : undefined;
  });
}

/** The seed of an nkey of NATS for a user. */
export function nkeySeed(): Kind<string> {
  return single('the seed of an nkey for a user, which begins with SU', (value) => (/^SU[A-Z2-7]{56}$/.test(value) ? value : undefined));
}

const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})$/i;

/** A host name or IP address with a port, or empty. */
export function hostAndPort(): Kind<string> {
  return single('a host and a port such as 10.0.0.5:8091', (value) => {
    const port = Number(HOST_AND_PORT.exec(value)?.[2]);
    return port > 0 && port < 65_536 ? value : undefined;
  });
}

/** An e-mail address, checked loosely: the mail server decides. */
export function emailAddress(): Kind<string> {
  return single('an e-mail address', (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value : undefined));
}

/** An IP address, or empty. */
export function ipAddress(): Kind<string> {
  return single('an IP address', (value) => (isIP(value) ? value : undefined));
}

/** Several values of one kind. */
export function list<T>(entry: Kind<T>): Kind<readonly T[]> {
  return {
    expected: `a list (separated by commas, or one variable an entry: __0, __1, …), each entry ${entry.expected}`,
    isList: true,
    emptyHasMeaning: true,
    parse: (texts) => {
      if (texts.length > MAX_LIST_LENGTH) return undefined;
      const values: T[] = [];
      for (const value of texts) {
        const parsed = entry.parse([value]);
        if (parsed === undefined) return undefined;
        values.push(parsed);
      }
      return values;
    },
    format: (values) => values.map((value) => entry.format(value)).join(','),
  };
}

/** A network in CIDR form, such as `10.0.0.0/8`. */
export function network(): Kind<string> {
  return single('a network such as 10.0.0.0/8', (value) => {
    const [address = '', prefix, ...rest] = value.split('/');
    const family = isIP(address);
    if (!family || prefix === undefined || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return undefined;
    return Number(prefix) <= (family === 4 ? 32 : 128) ? value : undefined;
  });
}

/** The origin of a web page, such as `https://portal.example.org`. */
export function origin(): Kind<string> {
  return single('an origin such as https://portal.example.org', (value) => {
    const url = parseUrlText(value);
    return url && ['http:', 'https:'].includes(url.protocol) && (url.href === `${url.origin}/` || value === url.origin)
      ? url.origin
      : undefined;
  });
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Checks whether the address is that of a program on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** An address that only programs on this machine may have without TLS. Every character of it counts, a slash at its end too. */
export function secureAddress(): Kind<string> {
  return single('an https:// address without query (http:// for localhost only)', (value) => {
    const url = parseUrlText(value);
    if (!url || url.username || url.password || url.search || url.hash) return undefined;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? value : undefined;
  });
}

/** A public key of age, by its checksum too, so that a typo does not make backups that nobody can read. */
export function ageRecipient(): Kind<string> {
  return single('a public key of age such as age1…', (value) => (isAgeRecipient(value) ? value : undefined));
}

/** A name that stands in addresses, such as `corporate-login`. */
export function nameInAddress(max: number): Kind<string> {
  return single(`1 to ${max} lower-case letters, digits and hyphens`, (value) =>
    value.length <= max && /^[a-z0-9-]+$/.test(value) ? value : undefined,
  );
}
