import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { unauthorized } from '../../../platform/common/errors.js';
import type { Principal } from '../principal.js';
import { Scheme } from '../scheme-selection.js';
import { Sessions } from '../sessions/sessions.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

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
