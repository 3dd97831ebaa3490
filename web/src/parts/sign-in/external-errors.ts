import { t } from './texts.js';

/** Why a passage to another provider came to nothing, as the service codes it. */
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
] as const;

/** Such a code in words. Anybody can write an address, so an unknown one is not repeated. */
export function externalErrorText(code: string): string {
  const known = EXTERNAL_ERRORS.find((each) => each === code);
  return known === undefined ? t('external-unknown') : t(`external-${known}`);
}
