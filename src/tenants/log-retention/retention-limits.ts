import { FEWEST_DAYS, RETAINED_LOGS, type RetainedLog, type TenantRetention } from '../../access/log-retention/retained-log.js';
import type { FieldErrors } from '../../platform/common/errors/errors.js';

/** The sentences about days that are more than the server keeps, by log; empty when all fit. */
export function overServer(wanted: TenantRetention, server: TenantRetention): FieldErrors {
  const errors: Partial<Record<RetainedLog, readonly string[]>> = {};
  for (const log of RETAINED_LOGS) {
    const [days, most] = [wanted[log], server[log]];
    if (days !== null && most !== null && days > most) errors[log] = [sentence(log, most)];
  }
  return errors;
}

function sentence(log: RetainedLog, most: number): string {
  const kept = `the server keeps this log for ${most} ${most === 1 ? 'day' : 'days'}`;
  if (most >= FEWEST_DAYS[log]) return `${log} must be at most ${most}: ${kept}.`;
  return `${log} must be null: ${kept}, fewer than the ${FEWEST_DAYS[log]} that a tenant can choose.`;
}
