import type { DeviceInventory } from '../../../api/devices/device-inventory.js';
import { formatGibibytes } from '../../../i18n/format.js';
import { t } from './texts.js';

/** A memory slot in a line: `DIMM A1: 16 GiB DDR4-3200`. */
export function slotTextOf({ name, size, type, speed }: DeviceInventory['memorySlots'][number]): string {
  if (size === 0) return t('empty-slot', { name });
  const kind = [type, speed > 0 ? String(speed) : ''].filter(Boolean).join('-');
  return [`${name === '' ? '' : `${name}: `}${formatGibibytes(size)}`, kind].filter(Boolean).join(' ');
}
