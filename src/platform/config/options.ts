import * as kind from './values/kinds.js';
import type { Kind } from './values/kinds.js';
import { NO_FILE } from './values/pem-files.js';

/** Shortest secret that an operator may choose for a credential. */
export const MIN_BOOTSTRAP_SECRET_LENGTH = 32;

/** Longest secret of a credential: its key, with the id in front, has to fit into a header. */
export const MAXIMUM_SECRET_LENGTH = 479;

/** Stands in the key of an option that may be given several times, once for each number. */
export const NUMBER = '<n>';

/** The value of `Forwarding:File` that stands for the standard output. */
export const STANDARD_OUTPUT = '-';

/** Longest name of an OpenID Connect provider. */
const MAXIMUM_PROVIDER_NAME_LENGTH = 32;

/** One option of the service. */
export interface Option<T> {
  /** Its name in the configuration, levels separated by colons. */
  readonly key: string;
  readonly kind: Kind<T>;
  readonly defaultValue: T;
  readonly meaning: string;
  /** True when its value must never be shown. */
  readonly secret: boolean;
  /** False when the option is accepted but has no effect in this version. */
  readonly takesEffect: boolean;
  /** True when a running service takes a new value on SIGHUP. */
  readonly reloads: boolean;
}

function option<T>(key: string, valueKind: Kind<T>, defaultValue: T, meaning: string): Option<T> {
  return { key, kind: valueKind, defaultValue, meaning, secret: false, takesEffect: true, reloads: false };
}

function secret<T>(key: string, valueKind: Kind<T>, defaultValue: T, meaning: string): Option<T> {
  return { key, kind: valueKind, defaultValue, meaning, secret: true, takesEffect: true, reloads: false };
}

function reloadable<T>(described: Option<T>): Option<T> {
  return { ...described, reloads: true };
}

function later<T>(described: Option<T>): Option<T> {
  return { ...described, takesEffect: false };
}

const {
  ageRecipient,
  boolean,
  choice,
  durationOrOff,
  emailAddress,
  guidOrNone,
  headerSecret,
  hostAndPort,
  integer,
  ipAddress,
  list,
  nameInAddress,
  natsAddress,
  network,
  nkeySeed,
  origin,
  pemFile,
  receiverAddress,
  secureAddress,
  syslogAddress,
  text,
  timeOfDayOrOff,
  webAddress,
} = kind;
const PORT_RANGE = [1, 65_535] as const;

/** Every option, grouped as in the settings. The groups' keys are the settings' property names. */
export const OPTIONS = {
  service: {
    port: option('Port', integer(0, 65_535), 8080, 'HTTP port; overrides the variable PORT. 0 takes any free port.'),
    bindAddress: option(
      'BindAddress',
      ipAddress(),
      '',
      'Address to listen on. Empty: all IPv4 addresses; with :: also all IPv6 addresses.',
    ),
    dataPath: option('DataPath', text(), './data', 'Folder for all files that the service writes, with the bundled PostgreSQL.'),
    webPath: option(
      'WebPath',
      text(),
      './web/dist',
      'Folder with the front end, as `npm run web:build` builds it. The service reads it once, at its start.',
    ),
    settingsFile: option(
      'SettingsFile',
      text(),
      './settings.json',
      'JSON file with options; it may be missing. Set this option by its environment variable.',
    ),
    secretsPath: option(
      'SecretsPath',
      text(),
      '/run/secrets',
      'Folder with one file per option, read when AppOptions:EnableDockerSecrets is on.',
    ),
  },
  connectionStrings: {
    default: secret(
      'ConnectionStrings:Default',
      text(),
      '',
      'PostgreSQL server (14 or later), as postgres://user:password@host:5432/database or Host=…;Port=…;Username=…;Password=…;Database=…. ' +
        'Without it and without POSTGRES_… the service starts the bundled PostgreSQL.',
    ),
  },
  postgres: {
    host: option(
      'POSTGRES_HOST',
      text(),
      '',
      'Host of the PostgreSQL server, or a postgres:// address with host and port. Empty, with other POSTGRES_… variables set: localhost.',
    ),
    port: option('POSTGRES_PORT', integer(...PORT_RANGE), 5432, 'Port of the PostgreSQL server.'),
    user: option('POSTGRES_USER', text(), 'postgres', 'Account on the PostgreSQL server.'),
    password: secret('POSTGRES_PASSWORD', text(), '', 'Password on the PostgreSQL server.'),
    database: option('POSTGRES_DB', text(), '', 'Database on the PostgreSQL server. Empty: the name of the account.'),
  },
  appOptions: {
    agentClockSkewTolerance: option(
      'AppOptions:AgentClockSkewTolerance',
      durationOrOff(),
      60_000,
      'Greatest difference between the time of a signed agent update and the server’s. Empty: no check, and captured updates can be replayed.',
    ),
    agentInstallerKeyHistoryDays: reloadable(
      option(
        'AppOptions:AgentInstallerKeyHistoryDays',
        integer(),
        90,
        'Days after which records of installer key use are deleted; 0 or less keeps them forever.',
      ),
    ),
    allowAgentsToSelfBootstrap: option(
      'AppOptions:AllowAgentsToSelfBootstrap',
      boolean(),
      false,
      'Lets unknown devices register over the agent hub without an installer key, on a server with one tenant.',
    ),
    authenticatorIssuerName: option(
      'AppOptions:AuthenticatorIssuerName',
      text(),
      'Device Management',
      'Name of the service in authenticator apps and for passkeys.',
    ),
    authorizationChangeLogRetentionDays: reloadable(
      option(
        'AppOptions:AuthorizationChangeLogRetentionDays',
        integer(),
        0,
        'Days after which entries of the authorization change log are deleted; 0 or less keeps them forever.',
      ),
    ),
    corsAllowedOrigins: option(
      'AppOptions:CorsAllowedOrigins',
      list(origin()),
      [],
      'Origins whose pages may call the API with cookies. Needs EnableCors.',
    ),
    defaultThemeMode: later(
      option(
        'AppOptions:DefaultThemeMode',
        choice(['Auto', 'Light', 'Dark']),
        'Dark',
        'Theme of pages for visitors who are not signed in.',
      ),
    ),
    deviceActivityRetentionDays: reloadable(
      option(
        'AppOptions:DeviceActivityRetentionDays',
        integer(),
        365,
        'Days after which audit records of work on devices are deleted; 0 or less keeps them forever.',
      ),
    ),
    disableDesktopPreview: option('AppOptions:DisableDesktopPreview', boolean(), false, 'Refuses desktop previews and hides their button.'),
    disableEmailSending: reloadable(
      option('AppOptions:DisableEmailSending', boolean(), false, 'Sends no mail; new accounts count as confirmed.'),
    ),
    disableFirstUserSelfRegistration: option(
      'AppOptions:DisableFirstUserSelfRegistration',
      boolean(),
      false,
      'Refuses the registration of the first user, who would become the administrator of the server.',
    ),
    dockerGatewayIp: option(
      'AppOptions:DockerGatewayIp',
      ipAddress(),
      '',
      'Address of the container gateway, whose X-Forwarded headers are trusted.',
    ),
    downloadSpoolSize: option(
      'AppOptions:DownloadSpoolSize',
      integer(0),
      4_294_967_296,
      'Disk space in bytes for downloads of slow clients, so that devices need not wait for them. Tenants share it as they share UploadSpoolSize.',
    ),
    downloadSpoolSizePerCaller: option(
      'AppOptions:DownloadSpoolSizePerCaller',
      integer(0),
      1_073_741_824,
      'The part of DownloadSpoolSize that one user or service account may use, in bytes. Beyond it the device waits for the client.',
    ),
    enableApiBrowserUi: option(
      'AppOptions:EnableApiBrowserUi',
      boolean(),
      false,
      'Serves the API browser at /api-browser and the descriptions at /openapi. On by default when NODE_ENV is development.',
    ),
    enableCors: option('AppOptions:EnableCors', boolean(), false, 'Answers cross-origin requests of CorsAllowedOrigins.'),
    enableDockerSecrets: option('AppOptions:EnableDockerSecrets', boolean(), false, 'Reads options from the files in SecretsPath.'),
    enableInteractiveBearerLogin: option(
      'AppOptions:EnableInteractiveBearerLogin',
      boolean(),
      false,
      'Accepts bearer tokens and serves the identity API under /api/auth.',
    ),
    enableNetworkTrust: option(
      'AppOptions:EnableNetworkTrust',
      boolean(),
      false,
      'Trusts the X-Forwarded headers of every client. Use it only in a closed network.',
    ),
    enablePublicRegistration: option(
      'AppOptions:EnablePublicRegistration',
      boolean(),
      false,
      'Lets anyone register; each gets a new tenant.',
    ),
    enableSignalrDetailedErrors: option(
      'AppOptions:EnableSignalrDetailedErrors',
      boolean(),
      false,
      'Sends the text of unexpected errors to hub clients.',
    ),
    externalUserCleanupAfterDays: reloadable(
      option(
        'AppOptions:ExternalUserCleanupAfterDays',
        integer(),
        30,
        'Days of inactivity after which external users (those of logon tokens) are deleted; below 1 keeps them.',
      ),
    ),
    gitHubClientId: option('AppOptions:GitHubClientId', text(), '', 'Client id of the OAuth app at GitHub, for sign-in with GitHub.'),
    gitHubClientSecret: secret('AppOptions:GitHubClientSecret', text(), '', 'Client secret of that app. Set both together.'),
    gitHubUrl: option(
      'AppOptions:GitHubUrl',
      secureAddress(),
      'https://github.com',
      'Address of GitHub, or of a GitHub Enterprise Server.',
    ),
    interactiveBearerTokenExpirationMinutes: option(
      'AppOptions:InteractiveBearerTokenExpirationMinutes',
      integer(1, 525_600),
      60,
      'Lifetime of a bearer token in minutes.',
    ),
    interactiveRefreshTokenExpirationDays: option(
      'AppOptions:InteractiveRefreshTokenExpirationDays',
      integer(1, 3650),
      30,
      'Lifetime of a refresh token in days.',
    ),
    knownNetworks: option(
      'AppOptions:KnownNetworks',
      list(network()),
      [],
      'Networks of proxies whose X-Forwarded headers are trusted, in addition to loopback.',
    ),
    knownProxies: option(
      'AppOptions:KnownProxies',
      list(ipAddress()),
      [],
      'Addresses of proxies whose X-Forwarded headers are trusted, in addition to loopback.',
    ),
    logonTokenGrantCleanupAfterDays: reloadable(
      option(
        'AppOptions:LogonTokenGrantCleanupAfterDays',
        integer(),
        7,
        'Days after which permissions of logon tokens without a session are deleted; below 1 keeps them.',
      ),
    ),
    maxFileTransferSize: option(
      'AppOptions:MaxFileTransferSize',
      integer(),
      104_857_600,
      'Largest size of an uploaded file in bytes; 0 or less means no limit.',
    ),
    microsoftClientId: option(
      'AppOptions:MicrosoftClientId',
      text(),
      '',
      'Client id of the app registration at Microsoft, for sign-in with accounts of any organization and private accounts.',
    ),
    microsoftClientSecret: secret('AppOptions:MicrosoftClientSecret', text(), '', 'Client secret of that app. Set both together.'),
    persistPasskeyLogin: option(
      'AppOptions:PersistPasskeyLogin',
      boolean(),
      false,
      'Keeps users who signed in with a passkey signed in after they close the browser.',
    ),
    publicUrl: option(
      'AppOptions:PublicUrl',
      webAddress(),
      '',
      'Address of the service for browsers and agents, used in links and deployment scripts. Empty: links in answers name the host of the request (X-Forwarded-Host and X-Forwarded-Proto of a trusted proxy, else Host), no mail is sent except in development, and passkeys work on localhost only.',
    ),
    requireDeviceKeys: option(
      'AppOptions:RequireDeviceKeys',
      boolean(),
      false,
      'Refuses registrations without a public key, unsigned updates, and all updates of devices without a key.',
    ),
    requireUserEmailConfirmation: option(
      'AppOptions:RequireUserEmailConfirmation',
      boolean(),
      false,
      'Requires users to confirm their e-mail address before they sign in.',
    ),
    requireUserUniqueEmail: option(
      'AppOptions:RequireUserUniqueEmail',
      boolean(),
      true,
      'Refuses an e-mail address that another user has.',
    ),
    serviceAccountAuthFailureLimit: option(
      'AppOptions:ServiceAccountAuthFailureLimit',
      integer(),
      5,
      'Failed authentications after which an address or credential is blocked for the window; 0 or less turns this off.',
    ),
    serviceAccountAuthFailureWindowMinutes: option(
      'AppOptions:ServiceAccountAuthFailureWindowMinutes',
      integer(undefined, 525_600),
      5,
      'Length of that window in minutes; 0 or less turns this off.',
    ),
    securityLogRetentionDays: reloadable(
      option(
        'AppOptions:SecurityLogRetentionDays',
        integer(),
        365,
        'Days after which entries of the security log are deleted; 0 or less keeps them forever.',
      ),
    ),
    sessionIdleDays: option('AppOptions:SessionIdleDays', integer(1, 400), 14, 'Days without use after which a browser is signed out.'),
    sessionLifetimeDays: option(
      'AppOptions:SessionLifetimeDays',
      integer(1, 400),
      90,
      'Days after the sign-in at which a browser is signed out, even if it is in use.',
    ),
    signInFailureLimit: option(
      'AppOptions:SignInFailureLimit',
      integer(1, 100),
      5,
      'Failed sign-ins and codes after which an address, session or known browser is locked out of the account. Ten times as many from all addresses lock out everything but sessions and known browsers.',
    ),
    signInLockoutMinutes: option('AppOptions:SignInLockoutMinutes', integer(1, 1440), 5, 'Length of a lock-out in minutes.'),
    smtpHost: reloadable(
      option('AppOptions:SmtpHost', text(), '', 'Mail server. Mail is sent when SmtpHost, SmtpEmail and SmtpDisplayName are set.'),
    ),
    smtpPort: reloadable(option('AppOptions:SmtpPort', integer(...PORT_RANGE), 587, 'Port of the mail server.')),
    smtpUserName: reloadable(option('AppOptions:SmtpUserName', text(), '', 'Account on the mail server, used with SmtpPassword.')),
    smtpPassword: reloadable(secret('AppOptions:SmtpPassword', text(), '', 'Password on the mail server.')),
    smtpEmail: reloadable(option('AppOptions:SmtpEmail', emailAddress(), '', 'Sender address of mail.')),
    smtpDisplayName: reloadable(
      option('AppOptions:SmtpDisplayName', text(), '', 'Sender name of mail, and the name of the service in its text.'),
    ),
    smtpLocalDomain: reloadable(
      option('AppOptions:SmtpLocalDomain', text(), '', 'Domain that the service names to the mail server in its greeting (EHLO).'),
    ),
    stepUpAfterMinutes: option(
      'AppOptions:StepUpAfterMinutes',
      integer(1, 1440),
      15,
      'Minutes after a sign-in or confirmation for which changes of credentials need no new confirmation.',
    ),
    uploadSpoolReserve: option(
      'AppOptions:UploadSpoolReserve',
      integer(0),
      1_073_741_824,
      'Disk space in bytes that waiting uploads and downloads leave free in DataPath. With less, uploads that must wait on the server are refused.',
    ),
    uploadSpoolSize: option(
      'AppOptions:UploadSpoolSize',
      integer(0),
      4_294_967_296,
      'Disk space in bytes for uploads that wait on the server. One tenant gets at most seven eighths of it, or half while other tenants use it. Only a file that comes before the fields of its form waits.',
    ),
    uploadSpoolSizePerCaller: option(
      'AppOptions:UploadSpoolSizePerCaller',
      integer(0),
      1_073_741_824,
      'The part of UploadSpoolSize that one user or service account may use, in bytes; also the largest file that may wait.',
    ),
    useHttpLogging: option(
      'AppOptions:UseHttpLogging',
      boolean(),
      false,
      'Logs each request without its query string, except /health, /health/ready and /alive.',
    ),
  },
  bootstrap: {
    serverServiceAccountName: option(
      'Bootstrap:ServerServiceAccountName',
      text(),
      '',
      'Name of the first server service account, 1 to 100 characters.',
    ),
    serverServiceAccountDescription: option('Bootstrap:ServerServiceAccountDescription', text(), '', 'Description of that account.'),
    serverServiceAccountId: option('Bootstrap:ServerServiceAccountId', guidOrNone(), null, 'Id of that account. Empty: a new id.'),
    serverServiceAccountTokenId: option(
      'Bootstrap:ServerServiceAccountTokenId',
      guidOrNone(),
      null,
      'Id of the first credential of that account.',
    ),
    serverServiceAccountTokenSecret: secret(
      'Bootstrap:ServerServiceAccountTokenSecret',
      headerSecret(MIN_BOOTSTRAP_SECRET_LENGTH, MAXIMUM_SECRET_LENGTH),
      '',
      'Secret of that credential. Set name, token id and secret together.',
    ),
    adminEmail: option(
      'Bootstrap:AdminEmail',
      emailAddress(),
      '',
      'E-mail address of the first administrator of the server, created while there are no users.',
    ),
    adminPassword: secret(
      'Bootstrap:AdminPassword',
      text(),
      '',
      'Password of the first administrator; set both together. With a password that breaks the rules the service logs a warning and creates no user.',
    ),
    adminPatTokenId: option(
      'Bootstrap:AdminPatTokenId',
      guidOrNone(),
      null,
      'Id of a personal access token of the first administrator, with all permissions of the user.',
    ),
    adminPatSecret: secret(
      'Bootstrap:AdminPatSecret',
      headerSecret(MIN_BOOTSTRAP_SECRET_LENGTH, MAXIMUM_SECRET_LENGTH),
      '',
      'Secret of that personal access token. Set both together.',
    ),
  },
  serverLifecycle: {
    decommissionServer: option(
      'ServerLifecycle:DecommissionServer',
      boolean(),
      false,
      'Uninstalls every agent when it next connects, and deletes its device.',
    ),
  },
  openIdConnect: {
    name: option(
      'OpenIdConnect:<n>:Name',
      nameInAddress(MAXIMUM_PROVIDER_NAME_LENGTH),
      '',
      'Name of an OpenID Connect provider in addresses. Do not change it: connected logins belong to this name. `<n>` is 0 for the first provider, 1 for the second and so on.',
    ),
    displayName: option('OpenIdConnect:<n>:DisplayName', text(), '', 'Name of the provider in pages. Empty: Name.'),
    issuer: option(
      'OpenIdConnect:<n>:Issuer',
      secureAddress(),
      '',
      'Issuer of the provider, exactly as it is in `<issuer>/.well-known/openid-configuration`.',
    ),
    clientId: option('OpenIdConnect:<n>:ClientId', text(), '', 'Client id of this service at the provider.'),
    clientSecret: secret('OpenIdConnect:<n>:ClientSecret', text(), '', 'Client secret of this service at the provider.'),
    clientAuthentication: option(
      'OpenIdConnect:<n>:ClientAuthentication',
      choice(['Basic', 'Post']),
      'Basic',
      'Place of the client secret in requests: the header (Basic: `client_secret_basic`) or the body (Post: `client_secret_post`).',
    ),
    scopes: option('OpenIdConnect:<n>:Scopes', text(), 'openid profile email', 'Scopes of the request, separated by spaces.'),
  },
  agentBundle: {
    folder: option(
      'AgentBundle:Folder',
      text(),
      './agent-bundles',
      "Folder with the bundles of the service's own agent, as `npm run agent:bundle` builds them. A file in `downloads` of the data folder overrides one of the same name.",
    ),
    buildAtStart: option(
      'AgentBundle:BuildAtStart',
      boolean(),
      true,
      "Builds the agent bundle of the server's own platform in the background after a start, if it is missing and the service runs from a checkout. npm downloads about 60 MB for it.",
    ),
    brandName: option(
      'AgentBundle:BrandName',
      text(),
      'ControlR',
      'Brand name in the bundle metadata. Agents refuse a name other than the one in their build.',
    ),
    publisher: option(
      'AgentBundle:Publisher',
      text(),
      'Bitbound',
      'Publisher in the bundle metadata. Agents refuse a publisher other than the one in their build.',
    ),
  },
  backup: {
    at: reloadable(
      option(
        'Backup:At',
        timeOfDayOrOff(),
        150,
        'Time of the nightly backup, in the local time of the process (the variable TZ). A backup that was missed is made a quarter of an hour after the next start, one that failed is tried again every hour.',
      ),
    ),
    keep: reloadable(
      option(
        'Backup:Keep',
        integer(1, 1_000),
        14,
        'Backups that are kept in the folder, of each kind: nightly ones, those of the page **Backups**, and those before an upgrade. Older ones are removed after a new one is complete.',
      ),
    ),
    folder: reloadable(
      option(
        'Backup:Folder',
        text(),
        '',
        'Folder of these backups, for this installation alone. Default: `backups` in the data folder. Better a disk of its own.',
      ),
    ),
    recipients: reloadable(
      option(
        'Backup:Recipients',
        list(ageRecipient()),
        [],
        'Public keys of age (`age1…`) for which backups are encrypted. Without one they are not encrypted.',
      ),
    ),
  },
  events: {
    retentionDays: reloadable(option('Events:RetentionDays', integer(1, 3_650), 7, 'Days after which events of tenants are deleted.')),
  },
  webhooks: {
    allowPrivateAddresses: reloadable(
      option(
        'Webhooks:AllowPrivateAddresses',
        boolean(),
        false,
        'Lets webhooks lead to private networks and to this machine, and use http. Administrators of tenants can then reach services there.',
      ),
    ),
  },
  forwarding: {
    logs: reloadable(
      option(
        'Forwarding:Logs',
        list(choice(['ChangeLog', 'SecurityLog', 'DeviceActivity'])),
        ['ChangeLog', 'SecurityLog', 'DeviceActivity'],
        'Logs that are forwarded.',
      ),
    ),
    file: reloadable(
      option(
        'Forwarding:File',
        text(),
        '',
        'File to which rows of these logs are appended as JSON lines, in a folder that exists. `-`: the standard output. Empty: none.',
      ),
    ),
    syslogUrl: reloadable(
      option(
        'Forwarding:SyslogUrl',
        syslogAddress(),
        '',
        'Receiver of syslog to which the rows are sent: `tls://host:6514`, `tcp://host:601` or `udp://host:514`. Datagrams that are lost are not sent again. Empty: none.',
      ),
    ),
    syslogCaFile: reloadable(
      option(
        'Forwarding:SyslogCaFile',
        pemFile(),
        NO_FILE,
        'File with the certificates (PEM) of the authorities that signed that of this receiver (`tls://`). Empty: the authorities that Node.js knows.',
      ),
    ),
    syslogCertificateFile: reloadable(
      option(
        'Forwarding:SyslogCertificateFile',
        pemFile(),
        NO_FILE,
        'File with the certificate (PEM) that the service shows to this receiver, and with those in between. Empty: none.',
      ),
    ),
    syslogKeyFile: reloadable(
      option('Forwarding:SyslogKeyFile', pemFile(), NO_FILE, 'File with the private key (PEM, without a passphrase) of that certificate.'),
    ),
    httpUrl: reloadable(
      option(
        'Forwarding:HttpUrl',
        receiverAddress(),
        '',
        'Address to which the rows are posted in batches (`application/x-ndjson`). Private addresses are allowed. Empty: none.',
      ),
    ),
    httpToken: reloadable(secret('Forwarding:HttpToken', headerSecret(8, 4_096), '', 'Bearer token of these requests. Empty: none.')),
    httpCaFile: reloadable(
      option(
        'Forwarding:HttpCaFile',
        pemFile(),
        NO_FILE,
        'File with the certificates (PEM) of the authorities that signed that of this receiver (`https://`). Empty: the authorities that Node.js knows.',
      ),
    ),
    httpCertificateFile: reloadable(
      option(
        'Forwarding:HttpCertificateFile',
        pemFile(),
        NO_FILE,
        'File with the certificate (PEM) that the service shows to this receiver, and with those in between. Empty: none.',
      ),
    ),
    httpKeyFile: reloadable(
      option('Forwarding:HttpKeyFile', pemFile(), NO_FILE, 'File with the private key (PEM, without a passphrase) of that certificate.'),
    ),
    retentionDays: reloadable(
      option(
        'Forwarding:RetentionDays',
        integer(1, 3_650),
        30,
        'Days for which rows wait for a receiver that does not take them. Older ones are removed, counted as lost and named in the log.',
      ),
    ),
  },
  nodes: {
    nats: option(
      'Nodes:Nats',
      list(natsAddress()),
      [],
      'Addresses of NATS, which carries calls between several processes of the service on one database: `nats://host:4222`, or `tls://host:4222`. Empty: this process is the only one.',
    ),
    natsSeed: secret('Nodes:NatsSeed', nkeySeed(), '', 'Seed of the nkey with which this process signs in to NATS.'),
    natsUser: option('Nodes:NatsUser', text(), '', 'User name for NATS, where it knows no nkey.'),
    natsPassword: secret('Nodes:NatsPassword', text(), '', 'Password of that user.'),
    natsCaFile: option(
      'Nodes:NatsCaFile',
      pemFile(),
      NO_FILE,
      'File with the certificates (PEM) of the authorities that signed those of NATS. Empty: the authorities that Node.js knows.',
    ),
    natsWithoutTls: option(
      'Nodes:NatsWithoutTls',
      boolean(),
      false,
      'Allows `nats://` for other machines: everybody on the way reads what is typed, and can command every agent. For a network that only the nodes and NATS use.',
    ),
    secret: secret(
      'Nodes:Secret',
      list(headerSecret(32, 4_096)),
      [],
      'Secret with which processes prove each other the requests that they pass on: the same on all, and at most two. The first signs, both are accepted, so that it can be replaced in three steps: add the new one behind, swap them, remove the old one.',
    ),
    port: option(
      'Nodes:Port',
      integer(0, 65_535),
      8_091,
      'Port on which this process serves the requests that others pass on. Never publish it. 0: any free one.',
    ),
    bindAddress: option('Nodes:BindAddress', ipAddress(), '', 'IP address of that port. Empty: all addresses of this machine.'),
    address: option(
      'Nodes:Address',
      hostAndPort(),
      '',
      'Host and port at which others reach that port. Empty: `Nodes:BindAddress`, or else the first address of this machine.',
    ),
    drainDelaySeconds: option(
      'Nodes:DrainDelaySeconds',
      integer(0, 300),
      5,
      'Seconds for which a process that is told to stop still serves after it has said that it is not ready, so that balancers learn of it.',
    ),
    drainSeconds: option(
      'Nodes:DrainSeconds',
      integer(0, 3_600),
      20,
      'Seconds after that over which it ends its hub connections, in random order and 50 a second at least, so that the others get them a few at a time. Transfers have as long. Whatever ends the process (`stop_grace_period`, `TimeoutStopSec`) must wait 35 s longer than both together.',
    ),
    rebalance: option(
      'Nodes:Rebalance',
      boolean(),
      true,
      'Lets 20 agents a second go, which come back through any process, while this one has more than 100 hub connections and 1.2 times as many as processes have on average, until it has 1.1 times as many. Never while a process stops.',
    ),
  },
  telemetryDashboard: {
    publicWebUrl: option(
      'TelemetryDashboard:PublicWebUrl',
      webAddress(),
      '',
      'Address of a telemetry dashboard that the page of server logs links to.',
    ),
    token: secret('TelemetryDashboard:Token', text(), '', 'Token in that link.'),
  },
  metrics: {
    port: option(
      'Metrics:Port',
      integer(0, 65_535),
      0,
      'Port of metrics (`/metrics`, in the text form of Prometheus) and health (`/health/live`, `/health/ready`). 0: off. It needs no sign-in: never forward it.',
    ),
    bindAddress: option(
      'Metrics:BindAddress',
      ipAddress(),
      '127.0.0.1',
      'Address on which that port listens. Empty: all IPv4 addresses; with :: also all IPv6 addresses.',
    ),
  },
  logging: {
    level: reloadable(
      option(
        'Logging:LogLevel:Default',
        choice(['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical', 'None']),
        'Information',
        'Lowest level of messages that are logged.',
      ),
    ),
    format: option(
      'Logging:Format',
      choice(['Text', 'Json']),
      'Text',
      'Format of the log on standard output: lines for people, or one JSON object per line for a log collector.',
    ),
  },
} as const;

/** The values of one group of options, by property name. */
export type GroupValues<G> = { readonly [K in keyof G]: G[K] extends Option<infer T> ? T : never };

/** The values of every group whose options are given once. */
export type OptionValues = { readonly [G in Exclude<keyof typeof OPTIONS, 'openIdConnect'>]: GroupValues<(typeof OPTIONS)[G]> };

/** Every option in the order of the table. */
export function allOptions(): readonly Option<unknown>[] {
  return Object.values(OPTIONS).flatMap((group) => Object.values<Option<unknown>>(group));
}

/** The environment variable that sets an option. */
export function variableOf(key: string): string {
  return key.startsWith('POSTGRES_') ? key : `Service_${key.replaceAll(':', '__')}`;
}
