/** What is recorded of the use of a device. */
export enum DeviceActivityKind {
  /** A file, an archive or a log file that went from the device to the caller. */
  Download = 'Download',
  /** From its first input to its end. */
  Terminal = 'Terminal',
  /** A file that went from the caller to the device. */
  Upload = 'Upload',
}

/** How an activity ended. */
export enum DeviceActivityOutcome {
  Completed = 'Completed',
  Failed = 'Failed',
  /** The service stopped or crashed before the activity ended. */
  Interrupted = 'Interrupted',
}
