import { SERVER_LOG } from '../../authorization/change-log/server-log.js';

/** A difference between a log and its chain. */
export interface ChainFinding {
  readonly kind: 'changed' | 'inserted' | 'deleted' | 'reordered' | 'rewritten';
  /** Null for the log of the server. */
  readonly tenantId: string | null;
  /** Null for an entry without a place in the chain. */
  readonly position: number | null;
  /** Null when nothing tells the id. */
  readonly entryId: string | null;
  /** A sentence. */
  readonly text: string;
}

/** The finding of a log by its id among chains. */
export function finding(
  kind: ChainFinding['kind'],
  logId: string,
  { position, entryId }: Pick<ChainFinding, 'position' | 'entryId'>,
  text: string,
): ChainFinding {
  return { kind, tenantId: logId === SERVER_LOG ? null : logId, position, entryId, text: `${nameOf(logId)}: ${text}` };
}

/** The name of a log in a sentence. */
export function nameOf(logId: string): string {
  return logId === SERVER_LOG ? 'Log of the server' : `Log of tenant ${logId}`;
}
