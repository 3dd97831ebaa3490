import type { LocalPostgresConnection } from '#libs/local-postgres';

/** Brings the empty template database to the present schema. Every test database is a copy of it. */
export async function migrateTemplate(_connection: LocalPostgresConnection): Promise<void> {}
