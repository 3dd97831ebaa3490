/** A kind of fault: the part that it is about, its consequence, and its remedy. */
interface KnownFault {
  readonly area:
    'Configuration' | 'Database' | 'DataFolder' | 'Address' | 'Proxy' | 'Mail' | 'Agents' | 'Providers' | 'Forwarding' | 'Nodes';
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
  'backup-missing': {
    area: 'DataFolder',
    severity: 'Warning',
    why: 'If the database is lost, everything is lost.',
    remedy: 'Back up now with `npm run backup`, and look again after Backup:At. The log has the reason if the nightly backup fails.',
  },
  'backup-old': {
    area: 'DataFolder',
    severity: 'Warning',
    why: 'If the database is lost, everything since then is lost.',
    remedy: 'Look for the last `A backup failed.` in the log, often a full disk, and check that the service runs at Backup:At.',
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
  'service-not-running': {
    area: 'Address',
    severity: 'Warning',
    why: 'Without the service nothing works. If it runs on another machine, the doctor does not see it here.',
    remedy: 'Start the service, and check Service_Port and Service_BindAddress. If the start fails, its last line says why.',
  },
  'public-url-missing': {
    area: 'Address',
    severity: 'Warning',
    why: 'Links name the host that the caller called, no mail with a link is sent, and passkeys work on localhost only.',
    remedy: 'Set AppOptions:PublicUrl to the address that browsers and agents call.',
  },
  'public-url-unencrypted': {
    area: 'Address',
    severity: 'Warning',
    why: 'Passwords and sessions cross the network unencrypted, and browsers allow no passkeys.',
    remedy: 'Put a proxy with TLS before the service, and set AppOptions:PublicUrl to its https address.',
  },
  'public-url-without-domain': {
    area: 'Address',
    severity: 'Warning',
    why: 'Passkeys need a domain name.',
    remedy: 'Give the server a name, and set AppOptions:PublicUrl to it.',
  },
  'public-url-unreachable': {
    area: 'Address',
    severity: 'Failure',
    why: 'Browsers and agents that use this address do not reach the service either, unless only this machine is cut off.',
    remedy:
      'Check the name in DNS, the firewall and the proxy. If this machine alone cannot reach the address, add its name to /etc/hosts.',
  },
  'public-url-elsewhere': {
    area: 'Address',
    severity: 'Failure',
    why: 'Another program answers browsers and agents: another site of the proxy, its login page, or another installation of the service.',
    remedy: 'Check AppOptions:PublicUrl and the site of the proxy. A login page of the proxy must exempt /account/doctor/echo too.',
  },
  'certificate-expired': {
    area: 'Address',
    severity: 'Failure',
    why: 'Browsers warn, and agents do not connect.',
    remedy: 'Renew the certificate, let the proxy load it, and look for the reason why it was not renewed by itself.',
  },
  'certificate-expires': {
    area: 'Address',
    severity: 'Warning',
    why: 'After its end browsers warn, and agents do not connect.',
    remedy: 'Renew the certificate. Programs that renew by themselves do so earlier: look into their log.',
  },
  'certificate-untrusted': {
    area: 'Address',
    severity: 'Failure',
    why: 'Browsers warn, and agents that do not know its authority do not connect.',
    remedy:
      'Install a certificate for this name with all certificates in between. For an authority of your own set NODE_EXTRA_CA_CERTS, also for agents.',
  },
  'proxy-without-service': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'The proxy answers, but does not reach the service.',
    remedy: 'Start the service, and compare the address in the configuration of the proxy with Service_Port and Service_BindAddress.',
  },
  'proxy-not-trusted': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'All clients have the address of the proxy: the failed sign-ins of one lock out all.',
    remedy: 'Name the address of the proxy in AppOptions:KnownProxies or AppOptions:KnownNetworks.',
  },
  'forwarded-for-missing': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'All clients have the address of the proxy: the failed sign-ins of one lock out all.',
    remedy: 'Let the proxy set X-Forwarded-For to the address of its client, as in docs/deployment.md.',
  },
  'forwarded-for-forged': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'Every client can name any address as its own: limits and lock-outs by address do not hold, and logs show false addresses.',
    remedy: 'Let the proxy replace or extend X-Forwarded-For by the address of its client, as in docs/deployment.md.',
  },
  'forwarded-address-wrong': {
    area: 'Proxy',
    severity: 'Warning',
    why: 'Programs that read these headers make wrong links, and another proxy in between may change the address.',
    remedy: 'Let the proxy send the scheme and host of the public address, and compare AppOptions:PublicUrl.',
  },
  'websocket-refused': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'Terminals, screens and transfers through the relay do not work, and hubs fall back to slow transports.',
    remedy: 'Let the proxy forward upgrades over HTTP/1.1: the headers Upgrade and Connection, as in docs/deployment.md.',
  },
  'silence-cut': {
    area: 'Proxy',
    severity: 'Warning',
    why: 'Sessions that wait for a device, and long polls, are lost.',
    remedy: 'Raise the time-outs of the proxy for silent connections, such as proxy_read_timeout, to an hour.',
  },
  'body-limited': {
    area: 'Proxy',
    severity: 'Failure',
    why: 'Uploads of files to devices fail with an answer of the proxy.',
    remedy: 'Raise the limit of the proxy, such as client_max_body_size, or turn it off: the service has limits of its own.',
  },
  'uploads-buffered': {
    area: 'Proxy',
    severity: 'Warning',
    why: 'The proxy stores each upload before the service gets it: progress is wrong, and its disk may fill.',
    remedy: 'Turn the buffering of requests off, such as proxy_request_buffering.',
  },
  'mail-incomplete': {
    area: 'Mail',
    severity: 'Failure',
    why: 'No mail is sent.',
    remedy: 'Set AppOptions:SmtpHost, AppOptions:SmtpEmail and AppOptions:SmtpDisplayName together.',
  },
  'mail-account-incomplete': {
    area: 'Mail',
    severity: 'Warning',
    why: 'Most mail servers refuse mail of those who do not sign in.',
    remedy: 'Set AppOptions:SmtpUserName and AppOptions:SmtpPassword together, or neither.',
  },
  'mail-unreachable': {
    area: 'Mail',
    severity: 'Failure',
    why: 'Mails wait in memory and are given up after 18 minutes.',
    remedy: 'Check AppOptions:SmtpHost, AppOptions:SmtpPort and the firewall.',
  },
  'mail-encryption': {
    area: 'Mail',
    severity: 'Failure',
    why: 'The service sends no mail and no password to a server that it cannot trust.',
    remedy:
      'Use the name in the certificate as AppOptions:SmtpHost. For an authority of your own set NODE_EXTRA_CA_CERTS. Port 465 is for encryption from the first byte.',
  },
  'mail-sign-in': {
    area: 'Mail',
    severity: 'Failure',
    why: 'The mail server takes no mail of the service.',
    remedy: 'Correct AppOptions:SmtpUserName and AppOptions:SmtpPassword. Many providers want a password for programs.',
  },
  'agents-missing': {
    area: 'Agents',
    severity: 'Warning',
    why: 'No device can be added by the command of Deploy.',
    remedy: 'Build the agent (`npm run agent:bundle`, or the button on Deploy), or publish bundles in downloads of the data folder.',
  },
  'agent-without-version': {
    area: 'Agents',
    severity: 'Failure',
    why: 'The agent of this platform is neither installed nor updated.',
    remedy: 'Publish the version beside the bundle again: build it again with `npm run agent:bundle`, or write downloads/Version.txt.',
  },
  'agent-without-installer': {
    area: 'Agents',
    severity: 'Failure',
    why: 'Agents of this platform do not update: bundle and installer belong together.',
    remedy: 'Publish the installer that came with the bundle.',
  },
  'agent-damaged': {
    area: 'Agents',
    severity: 'Failure',
    why: 'Installations and updates of this platform fail on every device.',
    remedy: 'Build or publish the bundle again.',
  },
  'agent-key-differs': {
    area: 'Agents',
    severity: 'Failure',
    why: 'The next start of the service fails: agents take updates of one key only.',
    remedy:
      'Move agent-bundle-key.pem out of the data folder to go on with the key of the database, or restore the database that it belongs to.',
  },
  'agent-signature': {
    area: 'Agents',
    severity: 'Failure',
    why: 'Agents refuse the update.',
    remedy: 'Restart the service. If that does not help, another program answers at this address, or the key of the database was changed.',
  },
  'devices-without-key': {
    area: 'Agents',
    severity: 'Warning',
    why: 'Anyone who knows the id of such a device can report in its name.',
    remedy: 'Register them again with a current agent, then set AppOptions:RequireDeviceKeys.',
  },
  'provider-unreachable': {
    area: 'Providers',
    severity: 'Failure',
    why: 'Users cannot sign in with this provider.',
    remedy: 'Check OpenIdConnect:<n>:Issuer, the firewall, and whether the provider works.',
  },
  'provider-issuer': {
    area: 'Providers',
    severity: 'Failure',
    why: 'The service refuses every sign-in with this provider.',
    remedy: 'Copy OpenIdConnect:<n>:Issuer exactly from `issuer` in `<issuer>/.well-known/openid-configuration`.',
  },
  'provider-certificate': {
    area: 'Providers',
    severity: 'Failure',
    why: 'Users cannot sign in with this provider.',
    remedy: 'Renew the certificate of the provider. For an authority of your own set NODE_EXTRA_CA_CERTS.',
  },
  'forwarding-unreachable': {
    area: 'Forwarding',
    severity: 'Failure',
    why: 'Rows wait in the database, and those that wait longer than Forwarding:RetentionDays are lost.',
    remedy:
      'Check the address in the options, the firewall and the receiver. For a certificate of an authority of your own set Forwarding:SyslogCaFile or Forwarding:HttpCaFile. If the receiver asks for a certificate, set Forwarding:…CertificateFile and Forwarding:…KeyFile.',
  },
  'forwarding-late': {
    area: 'Forwarding',
    severity: 'Warning',
    why: 'Rows wait in the database, and those that wait longer than Forwarding:RetentionDays are lost.',
    remedy:
      'Let the receiver take them: the log and this finding give the reason of failures. Raise Forwarding:RetentionDays if that takes days.',
  },
  'forwarding-certificate': {
    area: 'Forwarding',
    severity: 'Warning',
    why: 'After its end the receiver refuses the service, and rows wait in the database.',
    remedy:
      'Renew the certificate in Forwarding:SyslogCertificateFile or Forwarding:HttpCertificateFile with its key, and reload the service.',
  },
  'nats-unreachable': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Agents are reached by viewers of their own node only.',
    remedy: 'Start NATS, and check Nodes:Nats, Nodes:NatsCaFile, the firewall and the certificate of NATS.',
  },
  'nats-server-unreachable': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'The nodes use the other servers of NATS: one more that fails may cut them off.',
    remedy: 'Start this server, or remove it from Nodes:Nats.',
  },
  'nats-refused': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Agents are reached by viewers of their own node only.',
    remedy: 'Compare Nodes:NatsSeed, or user and password, with the users in the configuration of NATS, which permit `dm.>`.',
  },
  'nats-limits': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Large calls to agents at other nodes fail.',
    remedy: 'Set max_payload to 2MB in the configuration of NATS, and reload it.',
  },
  'nats-divided': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Nodes at different servers of NATS do not hear each other.',
    remedy: 'Check the routes and the cluster port (6222) of every server of NATS, as in deploy/nats/nats-cluster.conf.',
  },
  'nats-slow': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'Keys and pictures of sessions between nodes come late.',
    remedy: 'Look at the load of NATS and the network. Run NATS near the nodes.',
  },
  'nats-permissions': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'An account for more than the nodes may have other users, who can command every agent.',
    remedy: 'Give the nodes a user of their own with permissions for `dm.>` only, as in deploy/nats/nats-server.conf.',
  },
  'nats-certificate': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'After its end no node connects to this server of NATS.',
    remedy: 'Renew the certificate, and reload NATS.',
  },
  'node-unheard': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Viewers at other nodes do not reach its agents, and see their changes late.',
    remedy: 'Check its Nodes:Nats, and its network to NATS. Its `/health/ready` says if it reaches NATS.',
  },
  'node-unreachable': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Files, hub connections and remote control between this node and others fail.',
    remedy: 'Check its Nodes:Address and Nodes:Port, and the firewall between the nodes.',
  },
  'node-secret': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Files, hub connections and remote control between this node and others fail.',
    remedy: 'Set the same Nodes:Secret on all nodes, and synchronize their clocks.',
  },
  'node-address': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'Files, hub connections and remote control for this node go to another one.',
    remedy: 'Correct Nodes:Address: each node has an address of its own.',
  },
  'node-clock': {
    area: 'Nodes',
    severity: 'Failure',
    why: 'The node is not ready, and refuses reports of devices.',
    remedy: 'Synchronize the clocks of all nodes with NTP.',
  },
  'node-port-published': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'Only the secret of the nodes keeps others from naming any address as their own.',
    remedy: 'Close the port to all but the nodes, or set Nodes:BindAddress to an internal address.',
  },
  'node-releases': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'During an upgrade this is right. Otherwise some nodes lack what others can do.',
    remedy: 'Finish the upgrade of all nodes.',
  },
  'node-options': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'The service behaves differently from request to request.',
    remedy: 'Set the same value on all nodes. After a change without a restart, send SIGHUP to all.',
  },
  'node-files': {
    area: 'Nodes',
    severity: 'Warning',
    why: 'Devices get different agents from request to request, and updates may fail.',
    remedy: 'Copy `downloads` of the data folder, and the agents that the service builds, to all nodes.',
  },
} as const satisfies Readonly<Record<string, KnownFault>>;

/** Name of a kind of fault. */
export type FindingKind = keyof typeof FINDINGS;
