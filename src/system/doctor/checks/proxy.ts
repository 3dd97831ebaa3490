import { isAtHost } from '../../../platform/http/addresses/host.js';
import type { EchoAnswer } from '../echo/echo-answer.js';
import { fault, type Finding } from '../finding.js';

/** Address of a network for documents (RFC 5737), which nobody has: the doctor claims to be there. */
export const CLAIMED_ADDRESS = '192.0.2.77';

/** Findings about the headers with which a proxy names its client and the address that was called. */
export function forwardedFindings(publicUrl: URL, seen: EchoAnswer): readonly Finding[] {
  return [...clientFaults(publicUrl, seen), ...addressFaults(publicUrl, seen)];
}

function clientFaults({ protocol }: URL, { isProxyTrusted, forwardedFor }: EchoAnswer): Finding[] {
  // The service itself speaks no TLS: what is called by https is a proxy. By http it may be the service.
  if (protocol !== 'https:') return [];
  if (forwardedFor === null) {
    return [fault('forwarded-for-missing', 'The requests of the proxy have no X-Forwarded-For header.')];
  }
  if (!isProxyTrusted) return [fault('proxy-not-trusted', 'The service does not believe the X-Forwarded-For header of the proxy.')];
  if (lastOf(forwardedFor) !== CLAIMED_ADDRESS) return [];
  return [fault('forwarded-for-forged', 'The proxy passes on the X-Forwarded-For header of its clients as it is.')];
}

function addressFaults(publicUrl: URL, { forwardedProto, forwardedHost }: EchoAnswer): Finding[] {
  const found: Finding[] = [];
  const scheme = publicUrl.protocol.slice(0, -1);
  const proto = lastOf(forwardedProto);
  const host = lastOf(forwardedHost);
  if (proto !== null && proto !== scheme) {
    found.push(
      fault('forwarded-address-wrong', `The proxy sends X-Forwarded-Proto: ${proto}, and the public address begins with ${scheme}.`),
    );
  }
  if (host !== null && !isAtHost(publicUrl, host)) {
    found.push(
      fault('forwarded-address-wrong', `The proxy sends X-Forwarded-Host: ${host}, and the public address has ${publicUrl.host}.`),
    );
  }
  return found;
}

/** The last entry of a header that proxies append to; null without one. */
function lastOf(header: string | null): string | null {
  return header?.split(',').at(-1)?.trim() ?? null;
}
