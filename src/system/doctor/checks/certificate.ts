import { fault, type Finding } from '../finding.js';

/** The certificate of an address. */
export interface CertificateFacts {
  /** Host and port. */
  readonly host: string;
  readonly validTo: Date;
  /** Code of the reason not to trust it; null if it is trusted. */
  readonly problem: string | null;
}

const DAY_MS = 24 * 60 * 60_000;
/** Days before its end at which a certificate should have been renewed: programs do so a month before. */
export const SHORT_DAYS = 14;

const REASONS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signs itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known here, or a certificate in between is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known here, or a certificate in between is missing',
  CERT_NOT_YET_VALID: 'its time has not begun',
};

/** Whole days until a certificate ends, below 0 after its end. */
export const daysLeft = ({ validTo }: Pick<CertificateFacts, 'validTo'>, now: number): number =>
  Math.floor((validTo.getTime() - now) / DAY_MS);

/** Findings about a certificate. */
export function certificateFindings(facts: CertificateFacts, now: number): readonly Finding[] {
  const { host, validTo, problem } = facts;
  const end = validTo.toISOString().slice(0, 10);
  if (validTo.getTime() <= now) return [fault('certificate-expired', `The certificate of ${host} ended on ${end}.`)];
  if (problem !== null)
    return [fault('certificate-untrusted', `The certificate of ${host} is not trusted: ${REASONS[problem] ?? problem}.`)];
  const days = daysLeft(facts, now);
  return days < SHORT_DAYS ? [fault('certificate-expires', `The certificate of ${host} ends on ${end}, ${inDays(days)}.`)] : [];
}

/** Time until the end of a certificate, in words. */
export function inDays(days: number): string {
  if (days === 0) return 'within a day';
  return `in ${days} ${days === 1 ? 'day' : 'days'}`;
}
