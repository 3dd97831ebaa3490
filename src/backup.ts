import 'reflect-metadata';

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { visitDatabase } from './platform/database/visit-database.js';
import { explainStartFailure } from './start-failure.js';
import { inUnits, summaryOf } from './system/backups/describe-manifest.js';
import { runProgram, UsageError } from './system/backups/program.js';
import { BY_HAND } from './system/backups/turn.js';
import { writeBackup } from './system/backups/write-backup.js';

/*
 * Backs up the database and the files of the data folder into one file, beside a service that runs or without one. It reads the
 * configuration of the service. Exit codes: 0, the file is complete; 1, there is no file, and standard error gives the reason; 2, the
 * command line is wrong.
 */

await runProgram({
  usage: 'Usage: npm run backup -- [--recipient <age1…>]… <file>',
  explain: explainStartFailure,
  options: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { recipient: { type: 'string', multiple: true } },
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new UsageError('Name one file.');
    return { file: resolve(file), recipients: values.recipient ?? [] };
  },
  run: async ({ file, recipients }, settings, signal) => {
    const all = [...settings.backup.recipients, ...recipients];
    const database = await visitDatabase(settings);
    try {
      const { manifest, size } = await writeBackup({
        database: database.config,
        dataPath: database.dataPath,
        file,
        recipients: all,
        signal,
        connectionName: BY_HAND,
      });
      const warning = all.length > 0 ? '' : '\nIt holds keys and password hashes, and is not encrypted: protect it as the database.';
      return `Backed up ${summaryOf(manifest)} into ${file} (${inUnits(size)}).${warning}`;
    } finally {
      await database.leave();
    }
  },
});
