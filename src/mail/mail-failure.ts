import { codeOf } from '../common/system-error.js';
import { DomainError, ErrorCode } from '../common/errors.js';

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

/** 503 with the reason. The mail server's own words are only logged, because they may describe the operator's network. */
export function mailFailure(error: unknown): DomainError {
  const reason = REASONS[codeOf(error) ?? ''] ?? 'the mail server could not be used';
  return new DomainError(ErrorCode.Unavailable, `The mail could not be sent: ${reason}.`);
}
