import { formatBytes } from '../../../i18n/format.js';

const GIB = 2 ** 30;

/** A size as devices report it, in GiB. */
export const sizeText = (gibibytes: number): string => formatBytes(gibibytes * GIB);

/** The used part of a whole, from 0 to 1; 0 of nothing. */
export const shareOf = (used: number, total: number): number => (total > 0 ? Math.min(1, Math.max(0, used / total)) : 0);

/** The 12 digits of a network card in pairs: `00:11:22:33:44:55`. Anything else stays as it is. */
export const macAddressText = (digits: string): string =>
  /^[0-9a-f]{12}$/i.test(digits) ? (digits.match(/../g) ?? []).join(':').toUpperCase() : digits;
