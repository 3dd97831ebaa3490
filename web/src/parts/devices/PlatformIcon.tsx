import { Grid2x2, Globe, Laptop, type IconNode, Monitor, Smartphone, Terminal } from 'lucide';
import type { ReactNode } from 'react';

import { Icon, type IconSize } from '../../ui/icon/Icon.js';

/** By the number of the platform in the contract. */
const ICONS: readonly IconNode[] = [Monitor, Grid2x2, Terminal, Laptop, Laptop, Smartphone, Smartphone, Globe];

/** Icon of a device's system, beside its name. */
export function PlatformIcon({ platform, size = 16 }: { readonly platform: number; readonly size?: IconSize }): ReactNode {
  return <Icon of={ICONS[platform] ?? Monitor} size={size} />;
}
