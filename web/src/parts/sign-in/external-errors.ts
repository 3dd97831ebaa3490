import { t } from './texts.js';

/** Reasons for a failed sign-in at another provider, as the service codes them. */
export const EXTERNAL_ERRORS = [
  'Expired',
  'Denied',
  'ProviderUnavailable',
  'ProviderFailed',
  'NotConnected',
  'AddressTaken',
  'AddressMissing',
  'ConnectedElsewhere',
  'TooManyLogins',
  'SessionEnded',
  'OtherLogin',
  'NotAnew',
  'EmailNotConfirmed',
  'Suspended',
] as const;

/** Such a code in words. An unknown one is not repeated: anyone can write an address. */
export function externalErrorText(code: string): string {
  const known = EXTERNAL_ERRORS.find((each) => each === code);
  return known === undefined ? t('external-unknown') : t(`external-${known}`);
}
