import { Grid2x2, Globe, Laptop, type LucideIcon, Monitor, Smartphone, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';

/** By the number of the platform in the contract. */
const ICONS: readonly LucideIcon[] = [Monitor, Grid2x2, Terminal, Laptop, Laptop, Smartphone, Smartphone, Globe];

/** What kind of system a device runs, as a picture beside its name. */
export function PlatformIcon({ platform, size = 16 }: { readonly platform: number; readonly size?: number }): ReactNode {
  const Icon = ICONS[platform] ?? Monitor;
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}
