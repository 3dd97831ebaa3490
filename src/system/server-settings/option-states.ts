import { NUMBER, type Option, OPTIONS, variableOf } from '../../platform/config/options.js';
import type { OpenIdConnectSettings } from '../../platform/config/open-id-connect-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import type { AppOptionName } from './findings.js';

/** An option with its value, for administrators. */
export interface OptionState {
  readonly key: string;
  readonly variable: string;
  readonly meaning: string;
  readonly expected: string;
  readonly isSecret: boolean;
  readonly isSet: boolean;
  readonly isDefault: boolean;
  readonly isMissing: boolean;
  readonly value: string | null;
}

/** The options of these names. `missing` names those that need a value and have none. */
export function appOptionStates(
  { appOptions }: Settings,
  names: readonly AppOptionName[],
  missing: readonly AppOptionName[] = [],
): OptionState[] {
  return names.map((name) => stateOf(OPTIONS.appOptions[name], appOptions[name], missing.includes(name)));
}

/** The options of backups. */
export function backupOptionStates({ backup }: Settings): OptionState[] {
  return (['at', 'keep', 'folder', 'recipients'] as const).map((name) => stateOf(OPTIONS.backup[name], backup[name], false));
}

/** The options of an OpenID Connect provider. */
export function providerOptionStates(provider: OpenIdConnectSettings): OptionState[] {
  return openIdConnectNames.map((name) => stateOf(numbered(OPTIONS.openIdConnect[name], provider.number), provider[name], false));
}

/** The options that would add an OpenID Connect provider to these. */
export function nextProviderOptionStates(providers: readonly OpenIdConnectSettings[]): OptionState[] {
  const number = String(Math.max(-1, ...providers.map((provider) => Number(provider.number))) + 1);
  return openIdConnectNames.map((name) => {
    const option: Option<unknown> = OPTIONS.openIdConnect[name];
    return stateOf(numbered(option, number), option.defaultValue, false);
  });
}

const openIdConnectNames = ['name', 'displayName', 'issuer', 'clientId', 'clientSecret', 'clientAuthentication', 'scopes'] as const;

const numbered = (option: Option<unknown>, number: string): Option<unknown> => ({ ...option, key: option.key.replace(NUMBER, number) });

function stateOf({ key, kind, meaning, secret, defaultValue }: Option<unknown>, value: unknown, isMissing: boolean): OptionState {
  const text = kind.format(value);
  return {
    key,
    variable: variableOf(key),
    meaning,
    expected: kind.expected,
    isSecret: secret,
    isSet: text !== '',
    isDefault: text === kind.format(defaultValue),
    isMissing,
    value: secret || text === '' ? null : text,
  };
}
