import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the codes that are sent by mail, what an invited person is told of the invite, and what finds the activities of a person. */
export class Registration1763930000000 implements MigrationInterface {
  readonly name = 'Registration1763930000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "account_codes" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "user_id" uuid NOT NULL,
        "purpose" character varying(50) NOT NULL,
        "hashed_code" bytea NOT NULL,
        "security_stamp" uuid NOT NULL,
        "new_email" character varying(256),
        "expires_at" timestamptz NOT NULL,
        CONSTRAINT "pk_account_codes" PRIMARY KEY ("id"),
        CONSTRAINT "uq_account_codes_user_id_purpose" UNIQUE ("user_id", "purpose"),
        CONSTRAINT "fk_account_codes_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_device_activities_principal_id_id" ON "device_activities" ("principal_id", "id")');
    await runner.query('ALTER TABLE "invites" ADD "inviter_name" character varying(256)');
    await runner.query('CREATE INDEX "ix_invites_hashed_activation_code" ON "invites" ("hashed_activation_code")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "ix_invites_hashed_activation_code"');
    await runner.query('ALTER TABLE "invites" DROP COLUMN "inviter_name"');
    await runner.query('DROP INDEX "ix_device_activities_principal_id_id"');
    await runner.query('DROP TABLE "account_codes"');
  }
}
