import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import dataSource from '../ormconfig.js';
import { migrationSource } from './platform/database/schema/migration-source.js';
import { schemaChanges } from './platform/database/schema/schema-changes.js';

/**
 * Compares the database that `DATABASE_URL` names with the entities and triggers, and writes what it lacks into a new migration:
 * `npm run migration:generate -- AddDeviceNotes`. The migration is a draft; its author reads and completes it.
 */
const FOLDER = 'src/platform/database/migrations';

async function main([name = '']: readonly string[]): Promise<void> {
  if (!/^[A-Z][A-Za-z0-9]+$/.test(name)) throw new Error('Name the migration in Pascal case, for example AddDeviceNotes.');
  await dataSource.initialize();
  try {
    if (await dataSource.showMigrations()) throw new Error('The database lacks migrations that exist already. Start the service once.');
    const changes = await schemaChanges(dataSource);
    if (changes.up.length === 0) {
      console.log('The database lacks nothing.');
      return;
    }
    const { file, className, text } = migrationSource(name, Date.now(), changes);
    await writeFile(join(FOLDER, file), text);
    console.log(`Wrote ${join(FOLDER, file)}. Add ${className} to ${join(FOLDER, 'index.ts')}.`);
  } finally {
    await dataSource.destroy();
  }
}

await main(process.argv.slice(2));
