import { arrayOf, indexedRecord } from '../wire/composites.js';
import { MAX_NAME_LENGTH } from '../wire/limits.js';
import { text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const WakeDeviceDto = indexedRecord(
  'WakeDeviceDto',
  'Network cards to wake with a magic packet.',
  {
    macAddresses: arrayOf(text(MAX_NAME_LENGTH)),
  },
  {
    macAddresses: '12 hexadecimal digits each.',
  },
);
export type WakeDeviceDto = Infer<typeof WakeDeviceDto>;
