/** The logs that leave the service. The names stand in options, in lines and in the database. */
export const ForwardedLog = {
  ChangeLog: 'ChangeLog',
  SecurityLog: 'SecurityLog',
  DeviceActivity: 'DeviceActivity',
} as const;

export type ForwardedLog = (typeof ForwardedLog)[keyof typeof ForwardedLog];

/** A row that waits to be forwarded: a copy of the row of its log, by the names of the columns. */
export interface WaitingRow {
  readonly id: string;
  readonly number: string;
  readonly writtenAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Only of the change log: names at that time, and the place in the chain. */
  readonly more: Readonly<Record<string, unknown>> | null;
}

/** A line as destinations send it. */
export interface ForwardedLine {
  readonly log: ForwardedLog;
  readonly number: string;
  readonly writtenAt: Date;
  /** JSON without a line break. A line that is sent again has the same `id`. */
  readonly text: string;
}

/** Names in lines that differ from those of the columns. The API's answers use the same names. */
const NAMES: Readonly<Record<string, string>> = { correlation_id: 'requestId' };

/** Makes the line of a row. */
export function lineOf(log: ForwardedLog, { id, number, writtenAt, data, more }: WaitingRow): ForwardedLine {
  const tenantId = data.owning_tenant_id ?? data.tenant_id ?? null;
  const entry = Object.fromEntries(Object.entries(data).map(([column, value]) => [nameOf(column), valueOf(column, value)]));
  const text = JSON.stringify({ id, log, number: Number(number), time: writtenAt.toISOString(), tenantId, entry, ...more });
  return { log, number, writtenAt, text };
}

/** The line without the values before and after a change, which alone have no limit. */
export function shortened(line: ForwardedLine): ForwardedLine {
  const { entry, ...rest } = JSON.parse(line.text) as { readonly entry: object };
  return { ...line, text: JSON.stringify({ ...rest, entry: { ...entry, beforeJson: null, afterJson: null }, isShortened: true }) };
}

function nameOf(column: string): string {
  return NAMES[column] ?? column.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The database writes times in the zone of its session. */
function valueOf(column: string, value: unknown): unknown {
  return column.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value;
}
