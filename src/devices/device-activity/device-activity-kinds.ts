/** Kinds of recorded activities on a device. */
export enum DeviceActivityKind {
  /** The agent was told to remove itself. */
  AgentUninstall = 'AgentUninstall',
  /** The agent was told to look for an update. */
  AgentUpdate = 'AgentUpdate',
  /** A file or a directory of the device was deleted. */
  Delete = 'Delete',
  /** A file or an archive that went from the device to the caller. */
  Download = 'Download',
  /** The agent's log file that the caller has read, once or again and again to follow it. */
  LogRead = 'LogRead',
  /** A directory was made on the device. */
  NewFolder = 'NewFolder',
  /** The device was told to restart or to shut down. */
  Power = 'Power',
  /** The viewer of a remote control session records its picture in the browser. */
  Recording = 'Recording',
  /** A session of the relay that was not asked for through the viewer hub: the service does not know which device it reached. */
  Relay = 'Relay',
  /** From the request for the session to its end. */
  RemoteControl = 'RemoteControl',
  /** A file or a directory of the device got another name. */
  Rename = 'Rename',
  /** From its first input to its end. */
  Terminal = 'Terminal',
  /** A file that went from the caller to the device. */
  Upload = 'Upload',
  /** Devices of its network were told to wake the device. */
  Wake = 'Wake',
  /** From the request for the session to its end. */
  Vnc = 'Vnc',
}

/** Consent of the person at the device to a remote control session. */
export enum SessionConsent {
  NotAsked = 'NotAsked',
  /** Asked, and not given. */
  Asked = 'Asked',
  Given = 'Given',
}

/** Outcome of an activity. */
export enum DeviceActivityOutcome {
  Completed = 'Completed',
  Failed = 'Failed',
  /** The service stopped or crashed before the activity ended. */
  Interrupted = 'Interrupted',
}
