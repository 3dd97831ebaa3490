import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the time since which a user is suspended, and the time at which an invite expires, where that was changed. Earlier releases would
 * let suspended users sign in, so they do not run on this schema.
 */
export class SuspendedUsers1764210000000 implements MigrationInterface {
  readonly name = 'SuspendedUsers1764210000000';
  readonly locks = ['invites', 'users'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN suspended_at timestamptz');
    await runner.query('ALTER TABLE invites ADD COLUMN expires_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invites DROP COLUMN expires_at');
    await runner.query('ALTER TABLE users DROP COLUMN suspended_at');
  }
}
