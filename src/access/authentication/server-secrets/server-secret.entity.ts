import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CreatedAtColumn } from '../../../platform/database/schema/columns.js';

/** Name of a secret, by what is signed with it or made from it. */
export type SecretName = 'PasskeyChallenges' | 'RefreshTokens' | 'AgentBundles' | 'Doctor' | 'WebhookSecrets' | 'HubConnections';

/** A secret that all nodes share. The service makes the rows that are missing at its start. */
@Entity('server_secrets')
export class ServerSecret {
  @PrimaryColumn('varchar', { length: 50 }) name: SecretName;
  @CreatedAtColumn() createdAt: Date;
  @Column('bytea') value: Buffer;
  /** The file from which it was taken over; null when the service made it. */
  @Column('varchar', { length: 500, nullable: true }) source: string | null;
}
