import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "personal_access_tokens" ADD "made_with_credential_id" uuid`,
  `ALTER TABLE "logon_tokens" ADD "made_with_credential_id" uuid`,
  `CREATE INDEX "ix_personal_access_tokens_made_with_credential_id" ON "personal_access_tokens"  ("made_with_credential_id")`,
  `CREATE INDEX "ix_logon_tokens_made_with_credential_id" ON "logon_tokens"  ("made_with_credential_id")`,
  `CREATE FUNCTION end_made_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     ended uuid[];
   BEGIN
     WITH RECURSIVE made(id) AS (
       SELECT OLD.id
       UNION
       SELECT token.id FROM made CROSS JOIN LATERAL (
         SELECT t.id FROM personal_access_tokens t WHERE t.made_with_credential_id = made.id
         UNION ALL
         SELECT t.id FROM logon_tokens t WHERE t.made_with_credential_id = made.id) token
     )
     SELECT array_agg(id) INTO ended FROM made WHERE id <> OLD.id;
     IF ended IS NULL THEN RETURN NULL; END IF;
     DELETE FROM personal_access_tokens WHERE id = ANY(ended);
     DELETE FROM logon_tokens WHERE id = ANY(ended);
     DELETE FROM permission_assignments WHERE principal_kind = 'LogonToken' AND principal_id = ANY(ended);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON service_account_credentials FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON personal_access_tokens FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens AFTER DELETE ON logon_tokens FOR EACH ROW EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens_on_revocation AFTER UPDATE OF revoked_at ON service_account_credentials FOR EACH ROW
     WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_made_tokens()`,
  `CREATE TRIGGER end_made_tokens_on_revocation AFTER UPDATE OF revoked_at ON personal_access_tokens FOR EACH ROW
     WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_made_tokens()`,
];

const DOWN = [
  'DROP FUNCTION end_made_tokens CASCADE',
  'DROP INDEX "ix_logon_tokens_made_with_credential_id"',
  'DROP INDEX "ix_personal_access_tokens_made_with_credential_id"',
  'ALTER TABLE "logon_tokens" DROP COLUMN "made_with_credential_id"',
  'ALTER TABLE "personal_access_tokens" DROP COLUMN "made_with_credential_id"',
];

/** Ends tokens with the credential that made them. Of tokens that exist already, it is not known what made them. */
export class MadeTokens1763870000000 implements MigrationInterface {
  readonly name = 'MadeTokens1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
