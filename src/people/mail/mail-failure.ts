import { DomainError, ErrorCode, messageOf } from '../../platform/common/errors/errors.js';
import { codeOf } from '../../platform/common/errors/system-error.js';

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the sign-in',
  ECONNECTION: 'the connection to the mail server was lost',
  EDNS: 'the mail server’s name is not known',
  EENVELOPE: 'the mail server refused the sender or the recipient',
  EMESSAGE: 'the mail server refused the message',
  EPROTOCOL: 'the mail server answered what no mail server should',
  ESOCKET: 'the mail server cannot be reached, or its certificate cannot be trusted',
  ETIMEDOUT: 'the mail server did not answer in time',
  ETLS: 'no encrypted connection to the mail server was possible',
  EABORT: 'the mail server took too long',
};

/** Failures that may pass by themselves, among those without an answer of the mail server. */
const PASSING = new Set(['ECONNECTION', 'EDNS', 'EPROTOCOL', 'ESOCKET', 'ETIMEDOUT', 'EABORT']);

/**
 * 503: the mail server did not take a message. The mail server's own words are only logged, because they may describe the operator's
 * network.
 */
export class MailFailure extends DomainError {
  /** True if another attempt may succeed. */
  readonly isTransient: boolean;
  /** Message of the mail server or the network, for the log. */
  readonly explanation: string;

  constructor(mailServer: string, error: unknown) {
    const code = codeOf(error) ?? '';
    super(ErrorCode.Unavailable, `The mail could not be sent: ${REASONS[code] ?? 'the mail server could not be used'}.`);
    this.isTransient = isRefusalForNow(error) ?? PASSING.has(code);
    this.explanation = `The mail server ${mailServer} did not accept a message: ${messageOf(error)}`;
  }
}

/** Returns true if the mail server asks to try again later (RFC 5321, 4.2.1), or null if it did not answer. */
function isRefusalForNow(error: unknown): boolean | null {
  return error instanceof Error && 'permanent' in error && typeof error.permanent === 'boolean' ? !error.permanent : null;
}
