import 'reflect-metadata';

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { hashIn, headsIn, type KeptHead } from './access/change-logs/chain/chain-head.js';
import { type VerifiedChains, verifyChains } from './access/change-logs/chain/verify-chains.js';
import { SERVER_LOG } from './access/authorization/change-log/server-log.js';
import { DomainError, ErrorCode, messageOf } from './platform/common/errors/errors.js';
import { isGuid } from './platform/common/identifiers/guid.js';
import { visitDatabase } from './platform/database/visit-database.js';
import { explainStartFailure } from './start-failure.js';
import { runProgram, UsageError } from './system/backups/program.js';

/*
 * Verifies the chains of the change log, beside a service that runs or without one. It reads the configuration of the service. Exit codes:
 * 0, all entries are as they were written; 1, at least one is not; 2, something could not be verified, and the output gives the reason.
 */

const DIFFERENT = 1;
const UNCHECKED = 2;

/** Reads what `--head` names: a hash, or a file with heads. */
async function keptHeads(head: string): Promise<readonly KeptHead[]> {
  const hash = hashIn(head);
  if (hash !== null) return [{ hash, place: null }];
  const failed = (reason: string): DomainError => new DomainError(ErrorCode.Invalid, `The head ${head} cannot be used: ${reason}.`);
  const text = await readFile(head, 'utf8').catch((error: unknown) => {
    throw failed(messageOf(error));
  });
  const heads = headsIn(text);
  if (heads === null) throw failed('the file has no head as the API or --json writes it');
  return heads;
}

function report({ logs, entries, findings, unchecked }: VerifiedChains): string {
  const lines = [...findings.map(({ text }) => text), ...unchecked];
  const checked = `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'} in ${logs.toLocaleString('en')} ${logs === 1 ? 'log' : 'logs'}`;
  if (findings.length > 0) return [...lines, `Differences in the change log: ${findings.length}. ${checked} fit.`].join('\n');
  return [...lines, `The change log is as it was written: ${checked}.`].join('\n');
}

await runProgram({
  usage: 'Usage: npm run audit:verify -- [--json] [--tenant <id>|server] [--head <hash>|<file>]…',
  explain: explainStartFailure,
  failure: UNCHECKED,
  options: (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, tenant: { type: 'string' }, head: { type: 'string', multiple: true } },
    });
    const { tenant } = values;
    if (tenant !== undefined && tenant !== 'server' && !isGuid(tenant))
      throw new UsageError('--tenant needs the id of a tenant, or “server”.');
    const logId = tenant === undefined ? null : tenant === 'server' ? SERVER_LOG : tenant.toLowerCase();
    return { isJson: values.json === true, logId, heads: values.head ?? [] };
  },
  run: async ({ isJson, logId, heads }, settings, signal) => {
    const kept = (await Promise.all(heads.map(keptHeads))).flat();
    const database = await visitDatabase(settings);
    try {
      const verified = await verifyChains({ database: database.config, logId, heads: kept, signal });
      const { findings, unchecked } = verified;
      const exitCode = findings.length > 0 ? DIFFERENT : unchecked.length > 0 ? UNCHECKED : 0;
      return { output: isJson ? JSON.stringify({ isSound: exitCode === 0, ...verified }) : report(verified), exitCode };
    } finally {
      await database.leave();
    }
  },
});
