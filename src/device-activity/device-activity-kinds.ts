/** What is recorded of the use of a device. */
export enum DeviceActivityKind {
  /** The agent was told to remove itself. */
  AgentUninstall = 'AgentUninstall',
  /** The agent was told to look for an update. */
  AgentUpdate = 'AgentUpdate',
  /** A file, an archive or a log file that went from the device to the caller. */
  Download = 'Download',
  /** The device was told to restart or to shut down. */
  Power = 'Power',
  /** From its first input to its end. */
  Terminal = 'Terminal',
  /** A file that went from the caller to the device. */
  Upload = 'Upload',
  /** Its neighbours were told to wake the device. */
  Wake = 'Wake',
}

/** How an activity ended. */
export enum DeviceActivityOutcome {
  Completed = 'Completed',
  Failed = 'Failed',
  /** The service stopped or crashed before the activity ended. */
  Interrupted = 'Interrupted',
}
