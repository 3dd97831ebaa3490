import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mustChangePassword, type Principal } from '../principals/principal.js';
import type { AuthenticationScheme, CredentialStanding } from '../schemes/authentication-scheme.js';
import { Scheme } from '../schemes/scheme-selection.js';
import { CredentialUsage } from './credential-usage.js';
import { CredentialsRepository } from './credentials.repository.js';
import { KeyVerifier } from './key-verifier.js';

/** `x-personal-token: <token id hex>:<secret>`: acts as the user that owns the token. */
@Injectable()
export class PersonalAccessTokenScheme implements AuthenticationScheme {
  readonly scheme = Scheme.PersonalAccessToken;

  constructor(
    private readonly verifier: KeyVerifier,
    private readonly credentials: CredentialsRepository,
    private readonly usage: CredentialUsage,
  ) {}

  async authenticate(request: IncomingMessage, address: string): Promise<Principal> {
    const header = request.headers['x-personal-token'] ?? '';
    const principal = await this.verifier.verify(header, 'x-personal-token', address, (id) => this.credentials.personalAccessToken(id));
    if (principal.credential.type === 'PersonalAccessToken') this.usage.note('personal_access_tokens', principal.credential.id);
    return principal;
  }

  isStillValid(principal: Principal): Promise<boolean> | null {
    if (principal.type !== 'User' || principal.credential.type !== 'PersonalAccessToken') return null;
    return this.isUsable(principal.credential.id);
  }

  standingIn(manager: EntityManager, principal: Principal): Promise<CredentialStanding> | null {
    if (principal.type !== 'User' || principal.credential.type !== 'PersonalAccessToken') return null;
    return this.credentials.personalAccessToken(principal.credential.id, manager).then((stored) => {
      const { isValid, expiresAt } = this.verifier.standingOf(stored);
      // The duty to change the password has come since the request. A request that came with it is on a route that it leaves open.
      const isBarred = stored?.principal.mustChangePassword === true && !principal.mustChangePassword;
      return { isValid: isValid && !isBarred, expiresAt };
    });
  }

  /** Users who have to change their password do nothing else until they have. Their sessions have ended, but their tokens have not. */
  private async isUsable(id: string): Promise<boolean> {
    const present = await this.verifier.presentPrincipal(id, 'x-personal-token', (tokenId) =>
      this.credentials.personalAccessToken(tokenId),
    );
    return present !== null && !mustChangePassword(present);
  }
}
