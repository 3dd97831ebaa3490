import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to logon tokens who made them, whose rights their sessions share, and deletes what a session of a token has stored when it ends. Of
 * tokens that exist already, which open a session for a day at most, the maker is not known.
 */
export class LogonTokenMakers1764000000000 implements MigrationInterface {
  readonly name = 'LogonTokenMakers1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "logon_tokens" ADD "maker_kind" character varying(20)');
    await runner.query('ALTER TABLE "logon_tokens" ADD "maker_id" uuid');
    await runner.query(
      `CREATE TRIGGER delete_principal_items AFTER DELETE ON sessions FOR EACH ROW
       WHEN (OLD.logon_token_id IS NOT NULL) EXECUTE FUNCTION delete_items_of_principal()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER delete_principal_items ON sessions');
    await runner.query('ALTER TABLE "logon_tokens" DROP COLUMN "maker_id"');
    await runner.query('ALTER TABLE "logon_tokens" DROP COLUMN "maker_kind"');
  }
}
