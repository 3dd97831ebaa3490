import { arrayOf, indexedRecord } from '../wire/composites.js';
import { MAX_NAME_LENGTH } from '../wire/limits.js';
import { text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const WakeDeviceDto = indexedRecord('WakeDeviceDto', {
  macAddresses: arrayOf(text(MAX_NAME_LENGTH)),
});
export type WakeDeviceDto = Infer<typeof WakeDeviceDto>;
