import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE webhooks (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    tenant_id uuid NOT NULL,
    url varchar(2000) NOT NULL,
    kinds text[] NOT NULL,
    secret_version integer NOT NULL,
    former_secret_until timestamptz,
    pause varchar(20),
    paused_at timestamptz,
    last_number bigint NOT NULL,
    CONSTRAINT pk_webhooks PRIMARY KEY (id),
    CONSTRAINT fk_webhooks_tenant_id FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_webhooks_tenant_id ON webhooks (tenant_id)`,
  `CREATE TABLE webhook_deliveries (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    webhook_id uuid NOT NULL,
    message_id varchar(100) NOT NULL,
    kind varchar(50) NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    delivered_at timestamptz,
    last_attempt_at timestamptz,
    last_status integer,
    last_error varchar(500),
    last_milliseconds integer,
    CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id),
    CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_webhook_deliveries_webhook_id_created_at_id ON webhook_deliveries (webhook_id, created_at, id)`,
  `CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
  `CREATE INDEX ix_webhook_deliveries_created_at ON webhook_deliveries USING brin (created_at)`,
];

/** Webhooks of tenants, and the deliveries of events to them. */
export class Webhooks1764290100000 implements MigrationInterface {
  readonly name = 'Webhooks1764290100000';
  /** Earlier releases do not know the tables. */
  readonly runsOn = '0.1.0';
  readonly locks = ['tenants'];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'webhooks']) await runner.query(`DROP TABLE ${table}`);
  }
}
