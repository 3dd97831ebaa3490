import { Activity, FileText, FolderOpen, Gauge, type IconNode, MessageSquare, MonitorPlay, ShieldCheck, SquareTerminal } from 'lucide';

import { holds } from '../../access/rights.js';
import type { Session } from '../../access/session.js';
import type { CurrentDevice } from './current-device.js';
import { SCREEN_PERMISSIONS } from '../../model/permissions/screen-permissions.js';

/** A tab of the device page: its address, and who is offered it. */
export interface DeviceTab {
  readonly id: 'overview' | 'terminal' | 'files' | 'screen' | 'chat' | 'logs' | 'activity' | 'access';
  readonly to:
    | '/devices/$deviceId'
    | '/devices/$deviceId/terminal'
    | '/devices/$deviceId/files'
    | '/devices/$deviceId/screen'
    | '/devices/$deviceId/chat'
    | '/devices/$deviceId/logs'
    | '/devices/$deviceId/activity'
    | '/devices/$deviceId/access';
  readonly icon: IconNode;
  readonly isOffered: (can: CurrentDevice['can'], session: Session) => boolean;
}

/** The tabs in their order. */
export const DEVICE_TABS: readonly DeviceTab[] = [
  { id: 'overview', to: '/devices/$deviceId', icon: Gauge, isOffered: (can) => can('device.overview.read') },
  { id: 'terminal', to: '/devices/$deviceId/terminal', icon: SquareTerminal, isOffered: (can) => can('device.terminal.use') },
  { id: 'files', to: '/devices/$deviceId/files', icon: FolderOpen, isOffered: (can) => can('device.file-system.read') },
  {
    id: 'screen',
    to: '/devices/$deviceId/screen',
    icon: MonitorPlay,
    isOffered: (can, { features }) =>
      SCREEN_PERMISSIONS.some(can) || (!features.disableDesktopPreview && can('device.desktop-preview.read')),
  },
  { id: 'chat', to: '/devices/$deviceId/chat', icon: MessageSquare, isOffered: (can) => can('device.chat.send') },
  { id: 'logs', to: '/devices/$deviceId/logs', icon: FileText, isOffered: (can) => can('device.logs.read') },
  { id: 'activity', to: '/devices/$deviceId/activity', icon: Activity, isOffered: (can) => can('device.logs.read') },
  {
    id: 'access',
    to: '/devices/$deviceId/access',
    icon: ShieldCheck,
    isOffered: (_can, session) => session.deviceId === null && holds(session, 'tenant.permissions.read'),
  },
];
