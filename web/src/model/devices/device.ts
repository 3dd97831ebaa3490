import { AppWindow, Globe, Laptop, type IconNode, Monitor, Smartphone, SquareTerminal } from 'lucide';

import type { Schemas } from '../schemas.js';

export type Device = Schemas['DeviceResponseDto'];

/** Display name of a device: its alias if it has one. */
export const nameOf = ({ alias, name }: Pick<Device, 'alias' | 'name'>): string => (alias === null || alias === '' ? name : alias);

/** The platforms by their number in the contract. */
const PLATFORMS: readonly { readonly name: string; readonly icon: IconNode }[] = [
  { name: '', icon: Monitor },
  { name: 'Windows', icon: AppWindow },
  { name: 'Linux', icon: SquareTerminal },
  { name: 'macOS', icon: Laptop },
  { name: 'Mac Catalyst', icon: Laptop },
  { name: 'Android', icon: Smartphone },
  { name: 'iOS', icon: Smartphone },
  { name: 'Browser', icon: Globe },
];

/** The name of a device's platform and its icon; an empty name where the agent knows none. */
export const platformOf = ({ platform }: Pick<Device, 'platform'>): (typeof PLATFORMS)[number] => PLATFORMS[platform] ?? PLATFORMS[0];

const ARCHITECTURES = ['x86', 'x64', 'Arm', 'Arm64', 'WebAssembly', 's390x', 'LoongArch64', 'Armv6', 'PowerPC 64', 'RISC-V 64'];

export const architectureOf = ({ osArchitecture }: Pick<Device, 'osArchitecture'>): string => ARCHITECTURES[osArchitecture] ?? '';

/** The state that was pushed, in the form of the API. A push says nothing of tags that its reader may not see. */
export function withPush(known: Device, pushed: Device): Device {
  return { ...known, ...pushed, tagIds: pushed.tagIds ?? known.tagIds };
}
