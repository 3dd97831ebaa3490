/** The channel on which triggers tell every node of writes. The payload is `<topic>:<id>`. */
export const INVALIDATION_CHANNEL = 'invalidation';

/** Topics of writes. Triggers send these names; services pass them to `Transaction.touch`; caches forget by them. */
export const Topic = {
  // The rules of a principal: its assignments, or the groups that it is a member of. Named as the kind of the principal; a kind
  // that is missing here cannot be passed to `Transaction.touch`.
  User: 'User',
  UserGroup: 'UserGroup',
  ServiceAccount: 'ServiceAccount',
  PersonalAccessToken: 'PersonalAccessToken',
  LogonToken: 'LogonToken',

  /** A tenant that is being deleted. Everything else that is kept may belong to it, so that all caches forget everything. */
  Tenant: 'Tenant',
  /** The tenant, the customer or the groups of a device, or whether its key waits for approval. */
  Device: 'Device',
  /** A credential of a service account, a personal access token, or a session. */
  Credential: 'Credential',
  /** The user or service account that a credential belongs to. */
  CredentialOwner: 'CredentialOwner',
  /** A session of the relay that another user ends. No trigger sends it. */
  RelaySession: 'RelaySession',
} as const;

export type Topic = (typeof Topic)[keyof typeof Topic];
