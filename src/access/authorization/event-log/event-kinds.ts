/** Kinds of events of a tenant. */
export enum EventKind {
  DeviceRegistered = 'device.registered',
  DeviceOnline = 'device.online',
  DeviceOffline = 'device.offline',
  DeviceKeyChanged = 'device.key-changed',
  SessionBegun = 'session.begun',
  SessionEnded = 'session.ended',
  InstallerKeyUsed = 'installer-key.used',
  PermissionChanged = 'permission.changed',
  UserSignedIn = 'user.signed-in',
}

/** Kinds of callers that cause events. */
export type EventActorKind = 'User' | 'ServiceAccount';

/** The caller that causes an event. */
export interface EventActor {
  readonly kind: EventActorKind;
  readonly id: string;
  readonly name: string;
}

/** An event that is about to be written. Names of its device and its principal are added when it is. */
export interface NewEvent {
  readonly tenantId: string;
  readonly kind: EventKind;
  /** The device that it concerns; only callers who may read the device see the event. */
  readonly deviceId?: string;
  readonly actor: EventActor | null;
  /** Facts of the kind; never a secret. */
  readonly data: object;
}
