import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** Largest file that is read, in bytes: several times that of all public authorities. */
const MAXIMUM_PEM_BYTES = 1_048_576;

const READABLE = 'a file that can be read';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** A file that an option names, with its content when the configuration was read. Without a file both are empty. */
export interface PemFile {
  /** Absolute path. */
  readonly path: string;
  readonly pem: string;
}

export const NO_FILE: PemFile = { path: '', pem: '' };

/** Parts of an access over TLS: authorities that are trusted instead of those of Node.js, and a certificate to show with its key. */
export interface TlsParts<T> {
  readonly ca: T;
  readonly certificate: T;
  readonly key: T;
}

/** The same as Node.js takes it. */
export type TlsAccess = Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>;

/** The access over TLS with the content of these files; for those that are missing, as Node.js has it by itself. */
export function tlsAccess({ ca, certificate, key }: TlsParts<PemFile>): TlsAccess {
  return {
    ...(ca.pem === '' ? {} : { ca: ca.pem }),
    ...(certificate.pem === '' ? {} : { cert: certificate.pem, key: key.pem }),
  };
}

/** The end of the first certificate in a file; null without a file. */
export const endOf = ({ pem }: PemFile): Date | null => (pem === '' ? null : new Date(certificatesIn(pem)[0].validTo));

/** A file that cannot be used. The message completes "expected …" and quotes nothing of the file. */
class PemError extends Error {}

/** Reads the files of an access over TLS. Each that cannot be used is a problem, by the name of its option. */
export function readTlsFiles(files: TlsParts<PemFile>, names: TlsParts<string>, cwd: string, problems: string[]): TlsParts<PemFile> {
  const ca = readCertificates(files.ca, names.ca, cwd, problems);
  if ((files.certificate.path === '') !== (files.key.path === '')) {
    problems.push(`${names.certificate} and ${names.key}: are set together.`);
  }
  const certificate = readCertificates(files.certificate, names.certificate, cwd, problems);
  const key = read(files.key, names.key, cwd, problems, privateKeyIn);
  if (certificate.pem !== '' && key.pem !== '') problems.push(...problemsOfPair(certificate.pem, key.pem, names));
  return { ca, certificate, key };
}

/** Reads a file of certificates. One that cannot be used is a problem, by the name of its option. */
export function readCertificates(file: PemFile, name: string, cwd: string, problems: string[]): PemFile {
  return read(file, name, cwd, problems, certificatesIn);
}

function read({ path: named }: PemFile, name: string, cwd: string, problems: string[], check: (pem: string) => unknown): PemFile {
  if (named === '') return NO_FILE;
  const path = resolve(cwd, named);
  try {
    const pem = textOf(path);
    check(pem);
    return { path, pem };
  } catch (error) {
    if (!(error instanceof PemError)) throw error;
    problems.push(`${name}: expected ${error.message}.`);
    return { path, pem: '' };
  }
}

function textOf(path: string): string {
  const status = reading(() => statSync(path));
  // To read a pipe would wait for its writer.
  if (!status.isFile()) throw new PemError(READABLE);
  if (status.size > MAXIMUM_PEM_BYTES) throw new PemError(`a file of at most ${MAXIMUM_PEM_BYTES} bytes`);
  return reading(() => readFileSync(path, 'utf8'));
}

/** The result of `act`, for which this account may lack the rights, on a folder above too. */
function reading<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new PemError(['ENOENT', 'ENOTDIR'].includes(code) ? 'a file that exists' : READABLE);
  }
}

function certificatesIn(pem: string): readonly [X509Certificate, ...X509Certificate[]] {
  try {
    const [first, ...others] = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
    if (first !== undefined) return [first, ...others];
  } catch {
    // What is wrong with it is no help.
  }
  throw new PemError('a file with certificates (PEM)');
}

function privateKeyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new PemError('a file with a private key (PEM) that has no passphrase');
  }
}

/** Problems of a certificate and a key that can be read both. */
function problemsOfPair(certificate: string, key: string, names: TlsParts<string>): readonly string[] {
  const [own] = certificatesIn(certificate);
  if (!own.checkPrivateKey(privateKeyIn(key))) {
    return [`${names.key}: expected the private key of the first certificate in ${names.certificate}.`];
  }
  try {
    createSecureContext({ cert: certificate, key });
    return [];
  } catch (error) {
    const { reason = 'unknown' } = error as { readonly reason?: string };
    return [`${names.certificate}: expected a certificate that TLS takes, and it is refused: ${reason}.`];
  }
}
