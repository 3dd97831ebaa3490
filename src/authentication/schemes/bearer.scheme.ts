import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { unauthorized } from '../../common/errors.js';
import { BearerSessions } from '../bearer-sessions/bearer-sessions.js';
import type { Principal } from '../principal.js';
import { Scheme } from '../scheme-selection.js';
import type { AuthenticationScheme, CredentialStanding } from './authentication-scheme.js';

const PREFIX_LENGTH = 'Bearer '.length;

/** `Authorization: Bearer <access token>`, read only with EnableInteractiveBearerLogin. */
@Injectable()
export class BearerScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Bearer;

  constructor(private readonly sessions: BearerSessions) {}

  async authenticate(request: IncomingMessage): Promise<Principal> {
    const principal = await this.sessions.principalOf((request.headers.authorization ?? '').slice(PREFIX_LENGTH).trim());
    if (principal === null) throw unauthorized('The bearer token is not valid.');
    return principal;
  }

  isStillValid(principal: Principal): Promise<boolean> | null {
    const id = bearerSessionIdOf(principal);
    return id === null ? null : this.sessions.isOpen(id);
  }

  standingIn(manager: EntityManager, principal: Principal): Promise<CredentialStanding> | null {
    const id = bearerSessionIdOf(principal);
    return id === null ? null : this.sessions.standingIn(manager, id);
  }
}

/** The bearer session in which a principal acts; null for other credentials. */
export function bearerSessionIdOf(principal: Principal): string | null {
  return principal.type === 'User' && principal.credential.type === 'Bearer' ? principal.credential.id : null;
}
