import {
  Bell,
  Building2,
  ChartLine,
  FileText,
  Folder,
  History,
  KeyRound,
  type IconNode,
  Monitor,
  PackagePlus,
  Server,
  Settings,
  ShieldCheck,
  ShieldQuestion,
  Tag,
  User,
  Users,
  Waypoints,
} from 'lucide';

import { holdsSomewhere, type Rights } from '../access/rights.js';
import type texts from '../i18n/en/shell.json';
import type { TextKey } from '../i18n/t.js';
import type { ListenedShortcut } from '../keyboard/shortcuts.js';
import type { PermissionName } from '../model/permissions/names.js';
import type { FileRoutesByTo } from '../routes.gen.js';

/** Name of an entry or a group: a text of the shell. */
type NavigationText = TextKey<typeof texts>;

/** An entry of the navigation; those without a permission are for everybody. */
export interface NavigationEntry {
  readonly to: keyof FileRoutesByTo;
  readonly text: NavigationText;
  readonly icon: IconNode;
  readonly permission?: PermissionName;
  /** The keys that lead to it from everywhere. */
  readonly shortcut?: ListenedShortcut;
}

export interface NavigationGroup {
  readonly text: NavigationText;
  readonly entries: readonly NavigationEntry[];
}

/** Every page that the navigation leads to, with the permission that reading it asks for. */
const NAVIGATION: readonly NavigationGroup[] = [
  { text: 'devices', entries: [{ to: '/devices', text: 'devices', icon: Monitor, shortcut: 'go-devices' }] },
  {
    text: 'structure',
    entries: [
      { to: '/device-groups', text: 'device-groups', icon: Folder, permission: 'tenant.device-groups.read' },
      { to: '/tags', text: 'tags', icon: Tag },
      { to: '/customers', text: 'customers', icon: Building2, permission: 'tenant.customers.read' },
    ],
  },
  {
    text: 'deployment',
    entries: [
      { to: '/deploy', text: 'deploy', icon: PackagePlus, permission: 'agent.install' },
      { to: '/installer-keys', text: 'installer-keys', icon: KeyRound, permission: 'installer-key.read', shortcut: 'go-installer-keys' },
      { to: '/key-approvals', text: 'key-approvals', icon: ShieldCheck, permission: 'device.agent.update' },
    ],
  },
  {
    text: 'administration',
    entries: [
      { to: '/users', text: 'users', icon: User, permission: 'tenant.users.read', shortcut: 'go-users' },
      { to: '/user-groups', text: 'user-groups', icon: Users, permission: 'tenant.user-groups.read' },
      {
        to: '/service-accounts',
        text: 'service-accounts',
        icon: Waypoints,
        permission: 'service-account.read',
        shortcut: 'go-service-accounts',
      },
      { to: '/effective-permissions', text: 'effective-permissions', icon: ShieldQuestion, permission: 'tenant.permissions.read' },
      { to: '/change-log', text: 'change-log', icon: History, permission: 'tenant.authorization-logs.read', shortcut: 'go-change-log' },
      { to: '/events', text: 'events', icon: Bell, permission: 'tenant.events.read' },
      { to: '/webhooks', text: 'webhooks', icon: Waypoints, permission: 'tenant.settings.write' },
      { to: '/settings', text: 'settings', icon: Settings, permission: 'tenant.settings.read' },
    ],
  },
  {
    text: 'server',
    entries: [
      { to: '/server/tenants', text: 'tenants', icon: Server, permission: 'server.tenants.read' },
      { to: '/server/service-accounts', text: 'service-accounts', icon: Waypoints, permission: 'server.service-accounts.read' },
      { to: '/server/settings', text: 'server-settings', icon: Settings, permission: 'server.settings.write' },
      { to: '/server/backups', text: 'backups', icon: Folder, permission: 'server.settings.write' },
      { to: '/server/alert', text: 'alert', icon: Bell, permission: 'server.settings.write' },
      { to: '/server/statistics', text: 'statistics', icon: ChartLine, permission: 'server.telemetry.read' },
      { to: '/server/logs', text: 'logs', icon: FileText, permission: 'server.telemetry.read' },
      { to: '/server/change-log', text: 'change-log', icon: History, permission: 'server.authorization-logs.read' },
    ],
  },
];

/** Navigation of a session: entries whose reading permission it holds, if only on some devices, in groups that have any. */
export function navigationFor(rights: Rights): NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter(({ permission }) => permission === undefined || holdsSomewhere(rights, permission)),
  })).filter(({ entries }) => entries.length > 0);
}
