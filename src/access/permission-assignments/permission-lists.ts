import { permissionPresets } from '../authorization/permissions/permission-presets.js';
import { permissionCatalog } from '../authorization/permissions/permission.js';
import type { PermissionCatalogEntryDto, PermissionPresetDto } from './permission-assignment.dto.js';

/** Every permission by name, as answers list it. */
export const CATALOG_ENTRIES: readonly PermissionCatalogEntryDto[] = permissionCatalog.map((permission) => ({
  name: permission.name,
  displayName: permission.displayName,
  categoryLabel: permission.category,
  description: permission.description,
  allowedScopeKinds: [...permission.scopeKinds],
  selfRemovable: permission.selfRemovable,
}));

/** Every preset by name, as answers list it. */
export const PRESETS: readonly PermissionPresetDto[] = permissionPresets
  .map(({ name, permissions }) => ({ name, permissions: permissions.map((permission) => permission.name) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
