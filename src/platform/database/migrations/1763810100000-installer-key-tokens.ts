import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes with which Restricted token an installer key was made. Keys that exist already were made with none, as far as is known. */
export class InstallerKeyTokens1763810100000 implements MigrationInterface {
  readonly name = 'InstallerKeyTokens1763810100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "installer_keys" ADD "creator_token_id" uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "installer_keys" DROP COLUMN "creator_token_id"');
  }
}
