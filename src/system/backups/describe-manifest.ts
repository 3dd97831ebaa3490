import type { BackupManifest } from './backup-manifest.js';

/** Describes the contents of a backup to an operator, in lines. */
export function describeManifest({ release, createdAt, postgresVersion, migrations, tables, files }: BackupManifest): readonly string[] {
  const width = Math.max(...tables.map(({ name }) => name.length));
  return [
    `Made by release ${release} at ${createdAt}, from PostgreSQL ${Math.floor(postgresVersion / 10_000)}`,
    `Schema: ${migrations.at(-1) ?? 'none'}`,
    `Tables (${tables.length}), with their rows:`,
    ...tables.map(({ name, rows }) => `  ${name.padEnd(width)} ${rows}`),
    `Files of the data folder: ${files.length}`,
    ...files.map(({ path, bytes }) => `  ${path} (${inUnits(bytes)})`),
  ];
}

/** The contents of a backup in a few words. */
export function summaryOf({ tables, files }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${tables.length} tables with ${rows} rows, ${files.length} ${files.length === 1 ? 'file' : 'files'} of the data folder`;
}

/** A size for people. */
export function inUnits(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] =
    bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : bytes < 1024 ** 3 ? [bytes / 1024 ** 2, 'MiB'] : [bytes / 1024 ** 3, 'GiB'];
  return `${value.toFixed(1)} ${unit}`;
}
