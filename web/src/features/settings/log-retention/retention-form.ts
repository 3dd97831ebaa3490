import type { LogRetention, LogRetentionValues } from '../../../api/tenants/log-retention.js';
import { type Versioned, versionAs } from '../../../state/versioned.js';
import type { FormValues } from '../../../ui/form/Form.js';

/** Fields of the form: the logs by their days. */
export type RetentionField = keyof LogRetentionValues;

/** The logs in the order of the form. */
export const RETENTION_FIELDS = ['changeLogDays', 'securityLogDays', 'deviceActivityDays', 'eventDays'] as const satisfies RetentionField[];

/** The days that a tenant can choose for a log. */
export interface DayLimits {
  readonly fewest: number;
  /** The server's days; null for ever. */
  readonly most: number | null;
  /** True if the server keeps no more days than the fewest that a tenant can choose. */
  readonly isFixed: boolean;
}

export function limitsOf({ server, fewest }: LogRetention, field: RetentionField): DayLimits {
  const most = server[field] ?? null;
  return { fewest: fewest[field], most, isFixed: most !== null && most <= fewest[field] };
}

/** Days in a field; null for an empty one. */
export function daysIn(text: string | undefined): number | null {
  const typed = text?.trim() ?? '';
  return typed === '' ? null : Number(typed);
}

/** The time for which a log is kept in effect. */
const effective = (days: number | null, { most }: DayLimits): number => Math.min(days ?? Infinity, most ?? Infinity);

/** A log of which entries will be deleted, and the days that are left. */
export interface Shortened {
  readonly field: RetentionField;
  readonly days: number;
}

/** The logs that typed days keep for a shorter time than before. */
export function shortenedBy(
  retention: LogRetention,
  before: FormValues<RetentionField>,
  typed: FormValues<RetentionField>,
): readonly Shortened[] {
  return RETENTION_FIELDS.flatMap((field) => {
    const limits = limitsOf(retention, field);
    const days = effective(daysIn(typed[field]), limits);
    return days < effective(daysIn(before[field]), limits) ? [{ field, days }] : [];
  });
}

/** Initial values of the form. A log whose days cannot be chosen has an empty field. */
export const retentionIn = (retention: Versioned<LogRetention>): Versioned<FormValues<RetentionField>> =>
  versionAs(retention, (value) => {
    const texts = RETENTION_FIELDS.map((field) => [field, limitsOf(value, field).isFixed ? '' : String(value[field] ?? '')]);
    return Object.fromEntries(texts) as FormValues<RetentionField>;
  });

/** All values: a browser leaves out fields that are disabled. */
export const typedIn = (sent: FormValues<RetentionField>): FormValues<RetentionField> =>
  Object.fromEntries(RETENTION_FIELDS.map((field) => [field, sent[field] ?? '']));
