import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../internal-surface/internal-twin.js';
import { PublicServerSettingsController } from './public-server-settings.controller.js';
import { ServerAlertController } from './server-alert.controller.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerStatsController } from './server-stats.controller.js';
import { UserServerSettingsController } from './user-server-settings.controller.js';
import { VersionController } from './version.controller.js';

class PublicServerSettingsInternalController extends internalTwinOf(PublicServerSettingsController, 'api/public-server-settings', {
  get: {},
}) {}

class ServerAlertInternalController extends internalTwinOf(ServerAlertController, 'api/server-alert', { get: {}, replace: {} }) {}

class ServerLogsInternalController extends internalTwinOf(ServerLogsController, 'api/server-logs', { dashboard: {} }) {}

class ServerStatsInternalController extends internalTwinOf(ServerStatsController, 'api/server-stats', {
  get: { failures: { 500: AS_TEXT } },
}) {}

class UserServerSettingsInternalController extends internalTwinOf(UserServerSettingsController, 'api/user-server-settings', {
  fileUploadMaxSize: {},
  decommissionStatus: {},
}) {}

class VersionInternalController extends internalTwinOf(VersionController, 'api/version', { agent: {}, server: {}, releaseNotes: {} }) {}

export const SERVER_INTERNAL_CONTROLLERS = [
  PublicServerSettingsInternalController,
  ServerAlertInternalController,
  ServerLogsInternalController,
  ServerStatsInternalController,
  UserServerSettingsInternalController,
  VersionInternalController,
];
