import type { Environment } from '../../support/service-process.js';

/** A place without Node.js in which the bundle of agents is installed, and what the test knows about it. */
export interface DeviceHost {
  /** The folder of the place, as its own programs see it. */
  readonly folder: string;
  /** How it gets a file from an address: a command to which the address is appended. */
  readonly download: string;
  /** What its programs find in their environment. */
  readonly environment: Environment;
  /** Where this process finds a path of the place. */
  outside(path: string): string;
  /** A command of the place as a command of this process. */
  command(command: readonly string[]): string[];
}
