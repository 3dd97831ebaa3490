import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { unauthorized } from '../../../platform/common/errors/errors.js';
import type { Principal } from '../principals/principal.js';
import type { AuthenticationScheme } from '../schemes/authentication-scheme.js';
import { Scheme } from '../schemes/scheme-selection.js';
import { Sessions } from './sessions.js';

const PREFIX_LENGTH = 'Bearer '.length;

/**
 * `Authorization: Bearer <access token>`, read only with EnableInteractiveBearerLogin. The scheme of the session cookie says how all
 * sessions stand, those of its principals too.
 */
@Injectable()
export class BearerScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Bearer;

  constructor(private readonly sessions: Sessions) {}

  async authenticate(request: IncomingMessage): Promise<Principal> {
    const principal = await this.sessions.principalOfToken((request.headers.authorization ?? '').slice(PREFIX_LENGTH).trim());
    if (principal === null) throw unauthorized('The bearer token is not valid.');
    return principal;
  }
}
