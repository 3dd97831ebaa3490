let nameOf: ((name: string) => string) | null = null;

/** Loads the display names of permissions, which are too many for the first page. Without them, pages show the names for programs. */
export async function loadPermissionNames(): Promise<void> {
  const names = await import('./permission-names.js').catch(() => null);
  nameOf ??= names?.permissionName ?? null;
}

/** Returns the display name of a permission if the names are loaded, else its name for programs. */
export const loadedPermissionName = (name: string): string => nameOf?.(name) ?? name;
