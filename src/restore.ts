import 'reflect-metadata';

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { entities } from './entities.js';
import { takeDatabase } from './platform/database/visit-database.js';
import { explainStartFailure } from './start-failure.js';
import { readIdentities } from './system/backups/archive-reader.js';
import { describeManifest, summaryOf } from './system/backups/describe-manifest.js';
import { runProgram, UsageError } from './system/backups/program.js';
import { restoreBackup } from './system/backups/restore-backup.js';
import { verifyBackup } from './system/backups/verify-backup.js';

/*
 * Restores a backup into an empty database that no process of the service uses, or only says what is in it. It reads the configuration of
 * the service. Exit codes: 0, everything is restored (or the file is whole); 1, nothing was changed, and standard error gives the reason;
 * 2, the command line is wrong; 128 and its number, a signal ended it and nothing was changed.
 */

await runProgram({
  usage: 'Usage: npm run restore -- [--verify] [--identity <file>] <file>',
  explain: explainStartFailure,
  options: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { verify: { type: 'boolean' }, identity: { type: 'string' } },
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new UsageError('Name one file.');
    return { file: resolve(file), verify: values.verify === true, identity: values.identity };
  },
  run: async ({ file, verify, identity }, settings, signal) => {
    const backup = { path: file, identities: identity === undefined ? [] : await readIdentities(identity) };
    const manifest = await verifyBackup(backup, undefined, signal);
    if (verify) return [`${file} is whole.`, ...describeManifest(manifest)].join('\n');
    const database = await takeDatabase(settings);
    try {
      const leftOut = await restoreBackup({ backup, manifest, database: database.config, dataPath: database.dataPath, entities, signal });
      const lines = leftOut.map((name) => `The table ${name} is not of this service and was left out.`);
      return [...lines, `Restored ${summaryOf(manifest)}. Start the service.`].join('\n');
    } finally {
      await database.leave();
    }
  },
});
