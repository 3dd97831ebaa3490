import { randomBytes } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { ServerSecret, type SecretName } from './server-secret.entity.js';

/** The secrets that the service makes at its start. The key of agent bundles may come from a file instead. */
const NAMES = ['PasskeyChallenges', 'RefreshTokens', 'Doctor', 'WebhookSecrets', 'HubConnections'] as const satisfies readonly SecretName[];

/** Size of a secret in bytes, that of a key for HMAC-SHA256 and of an Ed25519 key. */
export const SECRET_BYTES = 32;

/** A secret as it is stored. */
export type StoredSecret = Pick<ServerSecret, 'value' | 'source'>;

/** Secrets with which the nodes sign what they issue, so that every node recognizes the signatures of the others. */
export class ServerSecrets {
  private constructor(
    private readonly dataSource: DataSource,
    private readonly values: ReadonlyMap<string, Buffer>,
  ) {}

  /** Reads the secrets, and makes those that are missing. Nodes that start at once agree on the first one made. */
  static async open(dataSource: DataSource): Promise<ServerSecrets> {
    const made = NAMES.map((name) => ({ name, value: randomBytes(SECRET_BYTES), source: null }));
    await dataSource.manager.createQueryBuilder().insert().into(ServerSecret).values(made).orIgnore().execute();
    const rows = await dataSource.manager.find(ServerSecret);
    return new ServerSecrets(dataSource, new Map(rows.map(({ name, value }) => [name, value])));
  }

  /** The secret of this name. */
  of(name: (typeof NAMES)[number]): Buffer {
    const value = this.values.get(name);
    if (value === undefined) throw new Error(`There is no secret ${name}.`);
    return value;
  }

  /** Stores a secret unless there is one of that name; returns the one that counts. */
  async storeOnce(name: SecretName, secret: StoredSecret): Promise<StoredSecret> {
    const { manager } = this.dataSource;
    await manager
      .createQueryBuilder()
      .insert()
      .into(ServerSecret)
      .values({ name, ...secret })
      .orIgnore()
      .execute();
    return manager.findOneByOrFail(ServerSecret, { name });
  }
}
