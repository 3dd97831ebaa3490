import { mustConfirmAddresses } from '../../../platform/config/mail-server.js';
import { providerNamesOf } from '../../../platform/config/provider-names.js';
import type { Settings } from '../../../platform/config/settings.js';
import { domainOf } from '../../../platform/http/addresses/domain-name.js';

/** The ways to sign in that the configuration leaves to users who have the credential for them. */
interface UsableWays {
  /** Names of the providers whose logins work. */
  readonly providers: readonly string[];
  /** True if passkeys work. */
  readonly passkeys: boolean;
  /** True if a user signs in only with a confirmed e-mail address. */
  readonly needsConfirmation: boolean;
}

/** The ways that a configuration leaves. Without a public address passkeys count as they work on localhost. */
export function usableWaysOf(settings: Pick<Settings, 'appOptions' | 'openIdConnect'>): UsableWays {
  const { publicUrl } = settings.appOptions;
  return {
    providers: providerNamesOf(settings),
    passkeys: publicUrl === '' || domainOf(publicUrl) !== null,
    needsConfirmation: mustConfirmAddresses(settings.appOptions),
  };
}
