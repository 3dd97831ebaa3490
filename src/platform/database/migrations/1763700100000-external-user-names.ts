import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets letter case tell external users apart: their user names are unique as they are. */
export class ExternalUserNames1763700100000 implements MigrationInterface {
  readonly name = 'ExternalUserNames1763700100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE users SET normalized_user_name = user_name WHERE account_type = 'ExternalUser'`);
  }

  /** Fails where two external users of a tenant differ in letter case only. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE users SET normalized_user_name = upper(user_name) WHERE account_type = 'ExternalUser'`);
  }
}
