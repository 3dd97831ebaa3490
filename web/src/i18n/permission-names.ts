import en from './en/permissions.json' with { type: 'json' };
import { textsOf } from './t.js';

const t = textsOf('permissions', en);

/** Returns the display name of a permission. One that is newer than these pages has only its name for programs. */
export const permissionName = (name: string): string => (name in en ? t(name as keyof typeof en) : name);

/** The names for programs of all permissions that have a display name. */
export const permissionsWithNames: readonly string[] = Object.keys(en);
