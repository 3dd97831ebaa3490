import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ServerSecrets } from '../../../access/authentication/server-secrets/server-secrets.js';
import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { ECHO_TOKEN_HEADER, echoProof, readEchoToken } from './echo-token.js';

/** Most remembered tokens: far more than examinations within the lifetime of one. */
const MAXIMUM_USED = 1_000;

/** Lets in the requests of the doctor, each once. */
@Injectable()
export class EchoGuard {
  private readonly secret: Buffer;
  private readonly used = new BoundedMap<string, true>(MAXIMUM_USED);

  constructor(
    secrets: ServerSecrets,
    private readonly clock: Clock,
  ) {
    this.secret = secrets.of('Doctor');
  }

  /** The proof for the answer; null for every request that is not of the doctor. */
  admit({ headers }: IncomingMessage): string | null {
    const token = headers[ECHO_TOKEN_HEADER];
    if (typeof token !== 'string') return null;
    const read = readEchoToken(this.secret, token, this.clock.milliseconds());
    if (read === null || this.used.has(read.nonce)) return null;
    this.used.set(read.nonce, true);
    return echoProof(this.secret, token);
  }
}
