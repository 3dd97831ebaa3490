import { createHmac } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { ServerSecrets } from '../../access/authentication/server-secrets/server-secrets.js';

/** The facts that a secret of a webhook is made of. */
export interface SecretSource {
  readonly id: string;
  readonly secretVersion: number;
}

/**
 * The secrets with which deliveries are signed, in the form of Standard Webhooks. They are derived from a secret of the server, so that the
 * table of webhooks holds none.
 */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: ServerSecrets) {}

  /** The present secret, as it is shown once. */
  of({ id, secretVersion }: SecretSource): string {
    return `whsec_${this.key(id, secretVersion).toString('base64')}`;
  }

  /** The value of `webhook-signature`: a signature for each valid secret, the present one first. */
  sign(
    webhook: SecretSource & { readonly formerSecretUntil: Date | null },
    messageId: string,
    seconds: number,
    body: string,
    now: Date,
  ): string {
    const { id, secretVersion, formerSecretUntil } = webhook;
    const versions = formerSecretUntil !== null && formerSecretUntil > now ? [secretVersion, secretVersion - 1] : [secretVersion];
    const signed = `${messageId}.${seconds}.${body}`;
    return versions.map((version) => `v1,${createHmac('sha256', this.key(id, version)).update(signed).digest('base64')}`).join(' ');
  }

  private key(id: string, version: number): Buffer {
    return createHmac('sha256', this.secrets.of('WebhookSecrets')).update(`${id}:${version}`).digest();
  }
}
