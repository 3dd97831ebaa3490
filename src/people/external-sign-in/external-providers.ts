import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { notFound } from '../../platform/common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import type { ExternalProvider } from './external-provider.js';
import { GitHubProvider } from './git-hub-provider.js';
import { OpenIdConnectProvider } from './open-id-connect-provider.js';

/**
 * The provider for people of any organization. Each organization is an issuer of its own, which the token is checked against, and may say
 * of its people that they have any address.
 */
const MICROSOFT = {
  name: 'microsoft',
  displayName: 'Microsoft',
  issuer: 'https://login.microsoftonline.com/common/v2.0',
  clientAuthentication: 'Post',
  scopes: 'openid profile email',
  vouchesForAddresses: false,
} as const;

/** Names of a provider: in addresses, and as people see it. */
export type ProviderNames = Pick<ExternalProvider, 'name' | 'displayName'>;

/** The configured providers: GitHub and Microsoft first, then the others in the order of the configuration. */
@Injectable()
export class ExternalProviders {
  readonly all: readonly ExternalProvider[];

  constructor(settings: Settings, clock: Clock) {
    const { gitHubClientId, gitHubClientSecret, gitHubUrl, microsoftClientId, microsoftClientSecret } = settings.appOptions;
    const all: ExternalProvider[] = [];
    if (gitHubClientId !== '' && gitHubClientSecret !== '') {
      all.push(new GitHubProvider({ url: gitHubUrl, clientId: gitHubClientId, clientSecret: gitHubClientSecret }));
    }
    if (microsoftClientId !== '' && microsoftClientSecret !== '') {
      all.push(new OpenIdConnectProvider({ ...MICROSOFT, clientId: microsoftClientId, clientSecret: microsoftClientSecret }, clock));
    }
    all.push(...settings.openIdConnect.map((provider) => new OpenIdConnectProvider(provider, clock)));
    this.all = all;
  }

  /** The names of the providers, in the order in which they are offered. */
  get names(): readonly ProviderNames[] {
    return this.all.map(({ name, displayName }) => ({ name, displayName }));
  }

  /** The provider of a name; 404 without one. */
  require(name: string): ExternalProvider {
    const provider = this.all.find((candidate) => candidate.name === name);
    if (provider === undefined) throw notFound('The provider');
    return provider;
  }
}
