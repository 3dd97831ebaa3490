import { homedir } from 'node:os';
import { join } from 'node:path';

/** Paths of the agent's files. They are the agent's own; anything else in the folder is left alone. */
export interface DataDirectory {
  readonly root: string;
  readonly settingsFile: string;
  readonly logs: string;
  readonly installerLogs: string;
  /** Archives and other copies on their way to a viewer; emptied at start. */
  readonly temporary: string;
  /** Folder of the uploads' temporary files. */
  readonly uploads: string;
}

export function dataDirectory(root: string): DataDirectory {
  return {
    root,
    settingsFile: join(root, 'settings.json'),
    logs: join(root, 'logs'),
    installerLogs: join(root, 'installer-logs'),
    temporary: join(root, 'temporary'),
    uploads: join(root, 'uploads'),
  };
}

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isAdministrator: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
}

/** The folder used when none is named: the system's for an administrator, otherwise the user's own. */
export function defaultDataDirectory(instance: string | undefined, surroundings: Surroundings = thisMachine()): string {
  const name = instance === undefined ? 'device-agent' : `device-agent-${instance}`;
  const { platform, isAdministrator, environment, home } = surroundings;
  if (platform === 'win32') return join(environment['ProgramData'] ?? join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return join(isAdministrator ? '/' : home, 'Library', 'Application Support', name);
  return isAdministrator ? join('/var/lib', name) : join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), name);
}

function thisMachine(): Surroundings {
  return { platform: process.platform, isAdministrator: process.getuid?.() === 0, environment: process.env, home: homedir() };
}
