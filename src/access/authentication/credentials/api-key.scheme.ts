import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { Principal } from '../principals/principal.js';
import type { AuthenticationScheme, CredentialStanding } from '../schemes/authentication-scheme.js';
import { Scheme } from '../schemes/scheme-selection.js';
import { CredentialUsage } from './credential-usage.js';
import { CredentialsRepository } from './credentials.repository.js';
import { KeyVerifier } from './key-verifier.js';

/** `x-api-key: <credential id hex>:<secret>` of a server or tenant service account. */
@Injectable()
export class ApiKeyScheme implements AuthenticationScheme {
  readonly scheme = Scheme.ApiKey;

  constructor(
    private readonly verifier: KeyVerifier,
    private readonly credentials: CredentialsRepository,
    private readonly usage: CredentialUsage,
  ) {}

  async authenticate(request: IncomingMessage, address: string): Promise<Principal> {
    const header = request.headers['x-api-key'] ?? '';
    const principal = await this.verifier.verify(header, 'x-api-key', address, (id) => this.credentials.serviceAccountCredential(id));
    this.usage.note('service_account_credentials', principal.credentialId);
    return principal;
  }

  isStillValid(principal: Principal): Promise<boolean> | null {
    if (principal.type !== 'ServerServiceAccount' && principal.type !== 'TenantServiceAccount') return null;
    const present = this.verifier.presentPrincipal(principal.credentialId, 'x-api-key', (id) =>
      this.credentials.serviceAccountCredential(id),
    );
    return present.then((account) => account !== null);
  }

  standingIn(manager: EntityManager, principal: Principal): Promise<CredentialStanding> | null {
    if (principal.type !== 'ServerServiceAccount' && principal.type !== 'TenantServiceAccount') return null;
    return this.credentials.serviceAccountCredential(principal.credentialId, manager).then((stored) => this.verifier.standingOf(stored));
  }
}
