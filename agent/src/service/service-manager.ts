import type { Command } from '../commands.js';

/** An agent that runs from boot on. */
export interface AgentService {
  /** `device-agent`, or `device-agent-<instance>`. */
  readonly name: string;
  /** The program and its first arguments, for example node and main.js. */
  readonly command: readonly string[];
  readonly dataDirectory: string;
}

interface ServiceFile {
  readonly path: string;
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Facts of a machine that decide which manager it has. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  readonly exists: (path: string) => boolean;
}

/** Program that starts the services of a machine and keeps them running. Each kind is one object. */
export interface ServiceManager {
  /** Its name, such as `systemd`. */
  readonly title: string;
  /** True where it runs the services of the machine. A manager that is only installed does not count. */
  manages(machine: Machine): boolean;
  /** The service as its commands and people call it. */
  nameOf(service: string): string;
  /** The files that describe a service. Their paths follow from its name; where the first one is, there is the service. */
  files(service: AgentService): readonly [ServiceFile, ...ServiceFile[]];
  /** The end of the command in the first of these files, which names the data folder. */
  commandEnd(dataDirectory: string): string;
  /** Paths at which it keeps something about a service by itself. */
  ownPaths(service: string): readonly string[];
  /** Makes changes of files known. */
  reload(service: string): readonly Command[];
  /** Starts the service with the machine from now on. */
  enable(service: string, machine: Machine): readonly Command[];
  /** Starts the service, or starts it again with the new program and settings. Fails when it does not start. */
  restart(service: string, machine: Machine): readonly Command[];
  stop(service: string, machine: Machine): readonly Command[];
  /** Stops starting the service with the machine. It goes on running, because it may be the caller. */
  disable(service: string, machine: Machine): readonly Command[];
  /** Ends the supervision that would start a service again which has removed itself. The service ends with it. */
  release(service: string): readonly Command[];
}
