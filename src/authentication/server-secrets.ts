import { randomBytes } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { ServerSecret } from './server-secret.entity.js';

/** What each secret signs, or makes tokens from. */
const NAMES = ['PasskeyChallenges', 'RefreshTokens'] as const;

export type SecretName = (typeof NAMES)[number];

/** Size of a secret in bytes, that of a key for HMAC-SHA256. */
const SECRET_BYTES = 32;

/** Secrets with which the nodes sign what they hand out for a short while, so that every node knows what another one has signed. */
export class ServerSecrets {
  private constructor(private readonly values: ReadonlyMap<string, Buffer>) {}

  /** Reads the secrets, and makes those that are missing. Nodes that start at once agree on the first one made. */
  static async open({ manager }: DataSource): Promise<ServerSecrets> {
    const made = NAMES.map((name) => ({ name, value: randomBytes(SECRET_BYTES) }));
    await manager.createQueryBuilder().insert().into(ServerSecret).values(made).orIgnore().execute();
    const rows = await manager.find(ServerSecret);
    return new ServerSecrets(new Map(rows.map(({ name, value }) => [name, value])));
  }

  /** The secret of this name. */
  of(name: SecretName): Buffer {
    const value = this.values.get(name);
    if (value === undefined) throw new Error(`There is no secret ${name}.`);
    return value;
  }
}
