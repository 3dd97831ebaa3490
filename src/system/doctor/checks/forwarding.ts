import type { Standing } from '../../forwarding/forwarding-standing.js';
import { Area, fault, skipped, well, type Finding } from '../finding.js';

/** Age of a waiting row from which the alert ForwardingLate warns too, in seconds. */
const LATE_S = 600;
const MINUTE_S = 60;

/** A receiver of logs as the doctor found it. */
export interface ReceiverFacts {
  readonly name: string;
  /** Reason why it cannot be reached; null if it can, or if that cannot be told. */
  readonly problem: string | null;
}

/** Findings about the receivers that are configured, and about rows that wait for them. */
export function forwardingFindings(receivers: readonly ReceiverFacts[], standings: readonly Standing[]): readonly Finding[] {
  const unreached = receivers.flatMap(({ name, problem }) =>
    problem === null ? [] : [fault('forwarding-unreachable', `Logs cannot be forwarded to ${name}: ${problem}`)],
  );
  const late = standings.filter(({ seconds }) => seconds > LATE_S).map(lateness);
  if (unreached.length + late.length > 0) return [...unreached, ...late];
  if (receivers.length === 0) return [skipped(Area.Forwarding, 'No log is forwarded.')];
  return receivers.map(({ name }) => well(Area.Forwarding, `Logs are forwarded to ${name}.`));
}

function lateness({ destination, log, rows, seconds, failure }: Standing): Finding {
  const minutes = Math.floor(seconds / MINUTE_S);
  const wait = `${rows} ${rows === 1 ? 'row' : 'rows'} of ${log} ${rows === 1 ? 'waits' : 'wait'} for the destination ${destination}, the oldest for ${minutes} minutes.`;
  return fault('forwarding-late', failure === null ? wait : `${wait} The last attempt failed: ${failure}`);
}
