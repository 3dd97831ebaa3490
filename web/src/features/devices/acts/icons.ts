import { ArrowUpFromLine, Building2, Folder, type IconNode, Power, RotateCcw, RotateCw, Sunrise, Tag, Trash2, Unplug } from 'lucide';

import type { Kind } from './act.js';

export const ICONS: Readonly<Record<Kind, IconNode>> = {
  refresh: RotateCw,
  wake: Sunrise,
  restart: RotateCcw,
  shutdown: Power,
  update: ArrowUpFromLine,
  tag: Tag,
  customer: Building2,
  group: Folder,
  uninstall: Unplug,
  delete: Trash2,
};
