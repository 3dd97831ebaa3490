import { type GroupValues, NUMBER, type Option, OPTIONS, variableOf } from './options.js';

type OpenIdConnectValues = GroupValues<typeof OPTIONS.openIdConnect>;

/** An OpenID Connect provider with which people sign in. */
export interface OpenIdConnectSettings extends OpenIdConnectValues {
  /** The number in the names of its options. */
  readonly number: string;
}

/** Most providers with names of their own. */
const MAXIMUM_PROVIDERS = 32;

/** Names of the providers that have options of their own. */
const TAKEN_NAMES: readonly string[] = ['github', 'microsoft'];

const NEEDED = ['name', 'issuer', 'clientId', 'clientSecret'] as const;

/** The configured providers, by their numbers; adds a problem for each that is not complete, and for names that are used twice. */
export function openIdConnectOf(groups: ReadonlyMap<string, OpenIdConnectValues>, problems: string[]): readonly OpenIdConnectSettings[] {
  const names = new Set(TAKEN_NAMES);
  if (groups.size > MAXIMUM_PROVIDERS) problems.push(`OpenIdConnect: expected at most ${MAXIMUM_PROVIDERS} providers.`);
  for (const [number, provider] of groups) {
    const variable = (option: Option<unknown>): string => variableOf(option.key.replace(NUMBER, number));
    for (const member of NEEDED) {
      const name = variable(OPTIONS.openIdConnect[member]);
      // A value that was refused is already reported.
      if (provider[member] !== '' || problems.some((problem) => problem.startsWith(`${name}:`))) continue;
      problems.push(`${name}: expected a value, because each provider needs one.`);
    }
    if (names.has(provider.name)) problems.push(`${variable(OPTIONS.openIdConnect.name)}: expected a name that no other provider has.`);
    if (provider.name !== '') names.add(provider.name);
  }
  return [...groups].map(([number, provider]) => ({ ...provider, number, displayName: provider.displayName || provider.name }));
}
