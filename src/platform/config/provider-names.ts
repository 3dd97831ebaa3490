import type { Settings } from './settings.js';

/** The names of all providers with which users can sign in. */
export function providerNamesOf({ appOptions, openIdConnect }: Pick<Settings, 'appOptions' | 'openIdConnect'>): readonly string[] {
  const { gitHubClientId, gitHubClientSecret, microsoftClientId, microsoftClientSecret } = appOptions;
  const names = openIdConnect.map(({ name }) => name);
  if (microsoftClientId !== '' && microsoftClientSecret !== '') names.unshift('microsoft');
  if (gitHubClientId !== '' && gitHubClientSecret !== '') names.unshift('github');
  return names;
}
