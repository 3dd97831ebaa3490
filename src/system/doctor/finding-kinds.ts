/** A kind of fault: the part that it is about, its consequence, and its remedy. */
interface KnownFault {
  readonly area: 'Configuration' | 'Database' | 'DataFolder' | 'Address' | 'Proxy' | 'Mail' | 'Agents' | 'Providers';
  readonly severity: 'Warning' | 'Failure';
  readonly why: string;
  readonly remedy: string;
}

/** Every fault that the doctor finds. docs/operations.md has the same table, which a test compares. */
export const FINDINGS = {
  'check-incomplete': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'The state of this part is not known.',
    remedy: 'Run the doctor again. If the check fails again, look for the reason that it names.',
  },
  'configuration-invalid': {
    area: 'Configuration',
    severity: 'Failure',
    why: 'The service does not start with this configuration.',
    remedy: 'Correct the option. `docs/configuration.md` describes every option.',
  },
  'option-unknown': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'The service does not read this name, so that the default applies.',
    remedy: 'Correct the name, or remove it.',
  },
  'option-without-effect': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Someone expects something of this option that does not happen.',
    remedy: 'Remove the option, or the one that overrides it.',
  },
  'options-contradict': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'One of the options cannot do what it is for.',
    remedy: 'Change one of the options that the sentence names.',
  },
  'network-trusted': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Every client can name any address as its own: limits and lock-outs by address do not hold, and logs show false addresses.',
    remedy: 'Turn AppOptions:EnableNetworkTrust off, and name the proxies in AppOptions:KnownProxies or AppOptions:KnownNetworks.',
  },
  'devices-register-themselves': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Every program that reaches the service can add devices.',
    remedy: 'Turn AppOptions:AllowAgentsToSelfBootstrap off after the installation of the agents, and use installer keys.',
  },
  'updates-replayable': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'A captured report of a device is accepted again at any time.',
    remedy: 'Set AppOptions:AgentClockSkewTolerance, for example to its default 00:01:00.',
  },
  'errors-detailed': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Clients of the hubs read the text of unexpected errors, which may describe the server.',
    remedy: 'Turn AppOptions:EnableSignalrDetailedErrors off in production.',
  },
  'server-decommissioned': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Every agent that connects is uninstalled, and its device is deleted.',
    remedy: 'Turn ServerLifecycle:DecommissionServer off, unless this server is to end.',
  },
  'first-user-open': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'The next visitor who registers becomes the administrator of the server.',
    remedy: 'Register now, or set Bootstrap:AdminEmail and Bootstrap:AdminPassword and restart the service.',
  },
  'administrator-missing': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Users can register, but nobody can manage the server in the browser.',
    remedy: 'Give a user the preset Server Administrator with the key of a server service account.',
  },
  'registration-unconfirmed': {
    area: 'Configuration',
    severity: 'Warning',
    why: 'Anyone may register with an e-mail address of someone else.',
    remedy: 'Turn AppOptions:RequireUserEmailConfirmation on, or AppOptions:EnablePublicRegistration off.',
  },
  'database-unreachable': {
    area: 'Database',
    severity: 'Failure',
    why: 'The service cannot work without its database.',
    remedy: 'Start PostgreSQL, and check ConnectionStrings:Default or the POSTGRES_ variables: host, port, account, password, database.',
  },
  'database-empty': {
    area: 'Database',
    severity: 'Warning',
    why: 'The service has never run on this database.',
    remedy: 'Start the service. If it has run before, check the options of the database and Service_DataPath: they name another one.',
  },
  'database-version': {
    area: 'Database',
    severity: 'Failure',
    why: 'The service needs PostgreSQL 14 or later.',
    remedy: 'Move the database to a newer server: back it up, configure the new server, restore it.',
  },
  'database-schema-old': {
    area: 'Database',
    severity: 'Warning',
    why: 'The service that runs on this database is of an older release than this program, or did not start since the upgrade.',
    remedy: 'Start the service of this release: it upgrades the schema. If it fails, its last line says why.',
  },
  'database-schema-new': {
    area: 'Database',
    severity: 'Warning',
    why: 'A newer release has upgraded the schema.',
    remedy: 'Run the doctor of the release that runs, or finish the upgrade on this node.',
  },
  'database-owner': {
    area: 'Database',
    severity: 'Failure',
    why: 'The next upgrade of the schema fails, and so does the start after it.',
    remedy: 'Make the account the owner: `ALTER DATABASE … OWNER TO …`, and `REASSIGN OWNED BY … TO …` for the tables.',
  },
  'database-encoding': {
    area: 'Database',
    severity: 'Failure',
    why: 'Texts in other scripts are refused or damaged.',
    remedy: "Create a database with ENCODING 'UTF8', and restore a backup into it.",
  },
  'database-read-only': {
    area: 'Database',
    severity: 'Failure',
    why: 'Nothing can be stored.',
    remedy: 'Connect the service to the primary server, and reset default_transaction_read_only of the account and the database.',
  },
  'database-unsafe': {
    area: 'Database',
    severity: 'Failure',
    why: 'After a crash or a power failure the database may be damaged, or lack what was acknowledged.',
    remedy: 'Set fsync, full_page_writes and synchronous_commit to on, for the server, the database and the account.',
  },
  'database-autovacuum': {
    area: 'Database',
    severity: 'Warning',
    why: 'Tables grow without end and queries become slow.',
    remedy: 'Set autovacuum to on.',
  },
  'database-timeout': {
    area: 'Database',
    severity: 'Warning',
    why: 'Upgrades, clean-up jobs and long lists are cut off.',
    remedy: 'Reset statement_timeout of the account and the database. The service limits its own statements.',
  },
  'database-connections': {
    area: 'Database',
    severity: 'Failure',
    why: 'Requests are answered with 503 when the connections are used up.',
    remedy: 'Raise max_connections of the server, or the CONNECTION LIMIT of the account or the database.',
  },
  'database-transaction': {
    area: 'Database',
    severity: 'Warning',
    why: 'A long transaction keeps the database from cleaning up, and may keep reports of devices waiting.',
    remedy: 'End it: `SELECT pg_terminate_backend(<pid>)`. A backup may take that long.',
  },
  'clock-wrong': {
    area: 'Database',
    severity: 'Failure',
    why: 'The service is not ready with a clock this wrong, and refuses reports of devices.',
    remedy: 'Synchronize the clocks of both machines with NTP.',
  },
  'clock-inexact': {
    area: 'Database',
    severity: 'Warning',
    why: 'Times in logs differ. From a minute on, reports of devices are refused.',
    remedy: 'Synchronize the clocks of both machines with NTP.',
  },
  'data-folder-missing': {
    area: 'DataFolder',
    severity: 'Failure',
    why: 'The service stores its files there, and the bundled database.',
    remedy:
      'Check Service_DataPath, and run the doctor in the working directory of the service. The start of the service creates the folder.',
  },
  'data-folder-read-only': {
    area: 'DataFolder',
    severity: 'Failure',
    why: 'The service does not start, or fails at transfers of files.',
    remedy: 'Give the folder to the account of the service (`chown`), and run the doctor with that account.',
  },
  'data-folder-open': {
    area: 'DataFolder',
    severity: 'Failure',
    why: 'Every account of this machine can replace the agents that devices install, and the database.',
    remedy: 'Take the right to write from others: `chmod o-w`.',
  },
  'key-file-open': {
    area: 'DataFolder',
    severity: 'Failure',
    why: 'Every account of this machine can sign updates of agents.',
    remedy: 'Take all rights from others: `chmod 600`. The database has the key: you can also move the file away.',
  },
  'disk-full': {
    area: 'DataFolder',
    severity: 'Failure',
    why: 'The bundled database stops writing on a full disk, and every change is answered with 503.',
    remedy: 'Free space, or move the data folder to a larger disk.',
  },
  'disk-short': {
    area: 'DataFolder',
    severity: 'Warning',
    why: 'Uploads and downloads that must wait on the server are refused with 503.',
    remedy: 'Free space, or lower AppOptions:UploadSpoolReserve.',
  },
} as const satisfies Readonly<Record<string, KnownFault>>;

/** Name of a kind of fault. */
export type FindingKind = keyof typeof FINDINGS;
