import pg from 'pg';

import { isGuid } from '../../../platform/common/identifiers/guid.js';
import type { DatabaseConfig } from '../../../platform/database/connection/database-connection.js';
import { unreachable } from '../../../platform/database/connection/unreachable.js';
import { KEEPING_HEADS } from '../../authorization/change-log/change-log.js';
import { SERVER_LOG } from '../../authorization/change-log/server-log.js';
import { finding, type ChainFinding } from './chain-finding.js';
import { headOfTenant, type KeptHead } from './chain-head.js';
import { ChainRows, type Chain, type Link } from './chain-rows.js';
import { checkChain } from './check-chain.js';
import { COVERED } from './entry-hash.js';
import { KeptHeads } from './kept-heads.js';

const CONNECT_TIMEOUT_MS = 10_000;
const PROBE_AFTER_MS = 15_000;

const [ACTION, TARGET_ID, AFTER] = ['e.action_type', 'e.target_id::text', 'e.after_json'].map((column) => COVERED.indexOf(column));

export interface Verification {
  readonly database: DatabaseConfig;
  /** Only this log; null for all. */
  readonly logId: string | null;
  readonly heads: readonly KeptHead[];
  readonly signal: AbortSignal;
}

/** The head of a chain as it was read. */
interface ReadHead {
  readonly tenantId: string | null;
  readonly position: number;
  readonly hash: string;
}

export interface VerifiedChains {
  readonly logs: number;
  readonly entries: number;
  /** Of each log the first difference, and the first entry without a link. */
  readonly findings: readonly ChainFinding[];
  /** Sentences about kept heads that could not be compared. */
  readonly unchecked: readonly string[];
  readonly heads: readonly ReadHead[];
}

/**
 * Verifies the chains of the change log as of one moment, beside a service that runs. It holds a page of entries at a time.
 * @throws DatabaseError when the database cannot be reached
 */
export async function verifyChains({ database, logId, heads, signal }: Verification): Promise<VerifiedChains> {
  const client = new pg.Client({
    ...database,
    application_name: 'device-management audit',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error);
  }
  const stop = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0');
    return await verifyIn(new ChainRows(client), logId, new KeptHeads(heads.filter(isAbout(logId))), signal);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

/** The heads of a log, those of an unknown one included; for null all. */
const isAbout =
  (logId: string | null) =>
  ({ place }: KeptHead): boolean =>
    logId === null || place === null || place.logId === logId;

async function verifyIn(rows: ChainRows, logId: string | null, kept: KeptHeads, signal: AbortSignal): Promise<VerifiedChains> {
  const chains = await rows.chains(logId);
  const findings: ChainFinding[] = [];
  let entries = 0;
  // The server's log comes first, with heads of tenants' logs.
  for (const chain of chains) {
    signal.throwIfAborted();
    if (chain.position === null) {
      findings.push(finding('deleted', chain.logId, { position: null, entryId: null }, 'the head of its chain is missing.'));
      continue;
    }
    kept.open(chain);
    const checked = await checkChain(rows, chain, (link) => {
      kept.visit(chain.logId, link);
      const head = chain.logId === SERVER_LOG && logId === null ? headIn(link) : null;
      if (head !== null) kept.add(head);
    });
    entries += checked.entries;
    if ('found' in checked) findings.push(checked.found);
    kept.close(chain, !('found' in checked));
  }
  for (const { logId: log, entryId, count } of await rows.unlinked(logId)) {
    const others = count > 1 ? `, and ${count - 1} more` : '';
    findings.push(finding('inserted', log, { position: null, entryId }, `entry ${entryId} was not written by the service${others}.`));
  }
  const { findings: ofHeads, expired } = kept.end();
  const whole = chains.filter((chain): chain is Chain => chain.position !== null);
  return {
    logs: chains.length,
    entries,
    findings: [...findings, ...ofHeads],
    unchecked: expired,
    heads: whole.map(({ logId: id, position, hash }) => ({
      tenantId: id === SERVER_LOG ? null : id,
      position,
      hash: hash.toString('hex'),
    })),
  };
}

/** The head of a tenant's log, if the entry of the link has one. */
function headIn({ covered }: Link): KeptHead | null {
  const [action, tenantId, after] = [covered?.[ACTION], covered?.[TARGET_ID], covered?.[AFTER]];
  if (action == null || !KEEPING_HEADS.includes(action) || tenantId == null || !isGuid(tenantId) || after == null) return null;
  return headOfTenant(tenantId, after);
}
