import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { isLoopback } from './values/kinds.js';
import { OPTIONS, type OptionValues, STANDARD_OUTPUT } from './options.js';
import { nameEach, type OptionReader } from './option-reader.js';
import { readTlsFiles, type TlsParts } from './values/pem-files.js';

type Forwarding = OptionValues['forwarding'];
type OfSyslog<T> = Readonly<Record<'syslogCaFile' | 'syslogCertificateFile' | 'syslogKeyFile', T>>;
type OfHttp<T> = Readonly<Record<'httpCaFile' | 'httpCertificateFile' | 'httpKeyFile', T>>;

/** Files of the options for TLS with the receiver of syslog. */
export const syslogTls = <T>({ syslogCaFile, syslogCertificateFile, syslogKeyFile }: OfSyslog<T>): TlsParts<T> => ({
  ca: syslogCaFile,
  certificate: syslogCertificateFile,
  key: syslogKeyFile,
});

/** Files of the options for TLS with the receiver of requests. */
export const httpTls = <T>({ httpCaFile, httpCertificateFile, httpKeyFile }: OfHttp<T>): TlsParts<T> => ({
  ca: httpCaFile,
  certificate: httpCertificateFile,
  key: httpKeyFile,
});

/** The options of forwarding with absolute paths, and with the content of the files for TLS. */
export function forwardingOf(values: Forwarding, reader: OptionReader, cwd: string, problems: string[]): Forwarding {
  const names = nameEach(OPTIONS.forwarding, reader);
  const hasFile = !['', STANDARD_OUTPUT].includes(values.file);
  const file = hasFile ? resolve(cwd, values.file) : values.file;
  if (hasFile && !canBeFile(file)) problems.push(`${names.file}: expected a file in a folder that exists, or -.`);
  const syslog = readTlsFiles(syslogTls(values), syslogTls(names), cwd, problems);
  const http = readTlsFiles(httpTls(values), httpTls(names), cwd, problems);
  return {
    ...values,
    file,
    syslogCaFile: syslog.ca,
    syslogCertificateFile: syslog.certificate,
    syslogKeyFile: syslog.key,
    httpCaFile: http.ca,
    httpCertificateFile: http.certificate,
    httpKeyFile: http.key,
  };
}

/** False for what is no file, and without a folder that can be read. */
function canBeFile(path: string): boolean {
  if (existsSync(path)) return statSync(path).isFile();
  return existsSync(dirname(path)) && statSync(dirname(path)).isDirectory();
}

/** One line for each option of forwarding that contradicts another one. */
export function contradictionsOfForwarding(values: Forwarding): readonly string[] {
  const { logs, file, syslogUrl, httpUrl, httpToken } = values;
  const lines: string[] = [];
  if (logs.length === 0 && [file, syslogUrl, httpUrl].some((destination) => destination !== '')) {
    lines.push('Forwarding:Logs names no log, so that nothing is forwarded.');
  }
  if (httpToken !== '' && httpUrl === '') lines.push('Forwarding:HttpToken has no effect without Forwarding:HttpUrl.');
  if (httpToken !== '' && httpUrl.startsWith('http:') && !isLoopback(new URL(httpUrl))) {
    lines.push('Forwarding:HttpToken crosses the network unencrypted: Forwarding:HttpUrl begins with http://.');
  }
  const unused = [
    ...(syslogUrl.startsWith('tls:') ? [] : (['syslogCaFile', 'syslogCertificateFile'] as const)),
    ...(httpUrl.startsWith('https:') ? [] : (['httpCaFile', 'httpCertificateFile'] as const)),
  ].filter((name) => values[name].path !== '');
  for (const name of unused) {
    const needed = name.startsWith('syslog') ? 'tls:// in Forwarding:SyslogUrl' : 'https:// in Forwarding:HttpUrl';
    lines.push(`${OPTIONS.forwarding[name].key} has no effect without ${needed}.`);
  }
  return lines;
}
