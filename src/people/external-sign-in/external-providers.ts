import { notFound } from '../../platform/common/errors/errors.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import { providerNamesOf } from '../../platform/config/provider-names.js';
import type { Settings } from '../../platform/config/settings.js';
import type { ExternalProvider } from './external-provider.js';
import type { IssuerSettings } from './open-id-connect-provider.js';

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
export class ExternalProviders {
  private constructor(readonly all: readonly ExternalProvider[]) {}

  /** Returns the providers of the settings. The code of a kind of provider is loaded only if there is one of it. */
  static async configured(settings: Settings, clock: Clock): Promise<ExternalProviders> {
    const { appOptions, openIdConnect } = settings;
    const names = providerNamesOf(settings);
    const { gitHubClientId, gitHubClientSecret, gitHubUrl, microsoftClientId, microsoftClientSecret } = appOptions;
    const all: ExternalProvider[] = [];
    if (names.includes('github')) {
      const { GitHubProvider } = await import('./git-hub-provider.js');
      all.push(new GitHubProvider({ url: gitHubUrl, clientId: gitHubClientId, clientSecret: gitHubClientSecret }));
    }
    const issuers: IssuerSettings[] = [...openIdConnect];
    if (names.includes(MICROSOFT.name)) {
      issuers.unshift({ ...MICROSOFT, clientId: microsoftClientId, clientSecret: microsoftClientSecret });
    }
    if (issuers.length > 0) {
      const { OpenIdConnectProvider } = await import('./open-id-connect-provider.js');
      all.push(...issuers.map((issuer) => new OpenIdConnectProvider(issuer, clock)));
    }
    return new ExternalProviders(all);
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
