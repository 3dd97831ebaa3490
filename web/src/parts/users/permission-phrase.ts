import type { Preset } from '../../api/access/permission-assignments.js';

/** Permissions as the preset that covers most of them, and the number of others. */
export interface PermissionPhrase {
  /** Null where no preset is complete. */
  readonly preset: string | null;
  readonly more: number;
}

/** Describes permissions by the largest preset that they contain. */
export function phraseOf(permissions: readonly string[], presets: readonly Preset[]): PermissionPhrase {
  const held = new Set(permissions);
  let largest: Preset | null = null;
  for (const preset of presets) {
    if (preset.permissions.length <= (largest?.permissions.length ?? 0)) continue;
    if (preset.permissions.every((permission) => held.has(permission))) largest = preset;
  }
  return { preset: largest?.name ?? null, more: held.size - (largest?.permissions.length ?? 0) };
}
