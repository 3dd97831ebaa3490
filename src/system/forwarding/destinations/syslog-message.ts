import type { ForwardedLine } from '../forwarded-line.js';

/** Facility "log audit" (13) and severity "informational" (6), as RFC 5424 writes them. */
const PRIORITY = 13 * 8 + 6;
const APP_NAME = 'device-management';
/** Longest name of a host in a message. */
const MAXIMUM_HOST = 255;
const NOT_PRINTABLE = /[^!-~]/g;
const NOT_ASCII = /[\u007f-\uffff]/g;

/** The process that writes messages. */
export interface SyslogOrigin {
  readonly host: string;
  readonly processId: number;
}

/**
 * The message of a line in the form of RFC 5424. Its text is JSON in ASCII: text in UTF-8 would need a byte order mark, at which parsers of
 * JSON stop.
 */
export function syslogMessage({ log, writtenAt, text }: ForwardedLine, { host, processId }: SyslogOrigin): string {
  const hostName = host.replaceAll(NOT_PRINTABLE, '').slice(0, MAXIMUM_HOST) || '-';
  const header = `<${PRIORITY}>1 ${writtenAt.toISOString()} ${hostName} ${APP_NAME} ${processId} ${log} -`;
  return `${header} ${text.replaceAll(NOT_ASCII, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}`;
}
