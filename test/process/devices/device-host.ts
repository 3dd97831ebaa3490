import type { Environment } from '../../support/processes/service-process.js';

/** A place without Node.js in which the bundle of agents is installed, and what the test knows about it. */
export interface DeviceHost {
  /** The folder of the place, as its own programs see it. */
  readonly folder: string;
  /** Command with which it gets a file from an address, which is appended. */
  readonly download: string;
  /** Environment of its programs. */
  readonly environment: Environment;
  /** Returns a path of the place as this process sees it. */
  outside(path: string): string;
  /** A command of the place as a command of this process. */
  command(command: readonly string[]): string[];
}
