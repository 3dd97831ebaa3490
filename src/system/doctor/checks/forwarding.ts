import type { Standing } from '../../forwarding/forwarding-standing.js';
import { Area, fault, skipped, well, type Finding } from '../finding.js';
import { daysLeft, inDays, SHORT_DAYS } from './certificate.js';

/** Age of a waiting row from which the alert ForwardingLate warns too, in seconds. */
const LATE_S = 600;
const MINUTE_S = 60;

/** A receiver of logs as the doctor found it. */
export interface ReceiverFacts {
  readonly name: string;
  /** Reason why it cannot be reached; null if it can, or if that cannot be told. */
  readonly problem: string | null;
  /** End of the certificate that the service shows to it; null if it shows none. */
  readonly certificateEnd: Date | null;
}

/** Findings about the receivers that are configured, and about rows that wait for them. */
export function forwardingFindings(receivers: readonly ReceiverFacts[], standings: readonly Standing[], now: number): readonly Finding[] {
  const unreached = receivers.flatMap(({ name, problem }) =>
    problem === null ? [] : [fault('forwarding-unreachable', `Logs cannot be forwarded to ${name}: ${problem}`)],
  );
  const late = standings.filter(({ seconds }) => seconds > LATE_S).map(lateness);
  const ending = receivers.flatMap((receiver) => ends(receiver, now));
  if (unreached.length + late.length + ending.length > 0) return [...unreached, ...late, ...ending];
  if (receivers.length === 0) return [skipped(Area.Forwarding, 'No log is forwarded.')];
  return receivers.map(({ name }) => well(Area.Forwarding, `Logs are forwarded to ${name}.`));
}

/** A finding about a certificate that ends soon or has ended. */
function ends({ name, certificateEnd: validTo }: ReceiverFacts, now: number): readonly Finding[] {
  if (validTo === null) return [];
  const days = daysLeft({ validTo }, now);
  if (days >= SHORT_DAYS) return [];
  const end = validTo.toISOString().slice(0, 10);
  const when = validTo.getTime() <= now ? `ended on ${end}` : `ends on ${end}, ${inDays(days)}`;
  return [fault('forwarding-certificate', `The certificate that the service shows to ${name} ${when}.`)];
}

function lateness({ destination, log, rows, seconds, failure }: Standing): Finding {
  const minutes = Math.floor(seconds / MINUTE_S);
  const wait = `${rows} ${rows === 1 ? 'row' : 'rows'} of ${log} ${rows === 1 ? 'waits' : 'wait'} for the destination ${destination}, the oldest for ${minutes} minutes.`;
  return fault('forwarding-late', failure === null ? wait : `${wait} The last attempt failed: ${failure}`);
}
