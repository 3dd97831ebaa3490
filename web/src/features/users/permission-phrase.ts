import type { Preset } from '../../access/permissions.js';

/** Permissions as presets, and how many there are beyond them. */
export interface PermissionPhrase {
  readonly presets: readonly string[];
  readonly more: number;
}

/** Describes permissions by the largest presets that they contain; a preset that lies within another one is not named. */
export function phraseOf(permissions: readonly string[], presets: readonly Preset[]): PermissionPhrase {
  const left = new Set(permissions);
  const named: string[] = [];
  const held = presets.filter((preset) => preset.permissions.length > 0 && preset.permissions.every((permission) => left.has(permission)));
  for (const preset of held.toSorted((one, other) => other.permissions.length - one.permissions.length)) {
    if (!preset.permissions.some((permission) => left.has(permission))) continue;
    named.push(preset.name);
    for (const permission of preset.permissions) left.delete(permission);
  }
  return { presets: named, more: left.size };
}
