import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to logon tokens when what made them expires. Of tokens that exist already, which open a session for a day at most, it is not known. */
export class MakerExpiry1763940000000 implements MigrationInterface {
  readonly name = 'MakerExpiry1763940000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "logon_tokens" ADD "maker_expires_at" timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "logon_tokens" DROP COLUMN "maker_expires_at"');
  }
}
