import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the SHA-256 of activation codes instead of the codes. Links that were handed out go on working. */
export class HashedInviteCodes1763820000000 implements MigrationInterface {
  readonly name = 'HashedInviteCodes1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invites ADD hashed_activation_code bytea');
    await runner.query(`UPDATE invites SET hashed_activation_code = sha256(convert_to(activation_code, 'UTF8'))`);
    await runner.query('ALTER TABLE invites ALTER hashed_activation_code SET NOT NULL, DROP activation_code');
  }

  /** The codes are gone: invites that were open stay, but their links no longer work. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invites ADD activation_code varchar(128)');
    await runner.query(`UPDATE invites SET activation_code = encode(hashed_activation_code, 'hex')`);
    await runner.query('ALTER TABLE invites ALTER activation_code SET NOT NULL, DROP hashed_activation_code');
  }
}
