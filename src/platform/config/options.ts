import * as kind from './kinds.js';
import type { Kind } from './kinds.js';

/** Shortest secret that an operator may choose for a credential. */
export const MIN_BOOTSTRAP_SECRET_LENGTH = 32;

/** Longest secret of a credential: its key, with the id in front, has to fit into a header. */
export const MAXIMUM_SECRET_LENGTH = 479;

/** Stands in the key of an option that may be given several times, once for each number. */
export const NUMBER = '<n>';

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
}

function option<T>(key: string, valueKind: Kind<T>, defaultValue: T, meaning: string): Option<T> {
  return { key, kind: valueKind, defaultValue, meaning, secret: false, takesEffect: true };
}

function secret<T>(key: string, valueKind: Kind<T>, defaultValue: T, meaning: string): Option<T> {
  return { key, kind: valueKind, defaultValue, meaning, secret: true, takesEffect: true };
}

function later<T>(described: Option<T>): Option<T> {
  return { ...described, takesEffect: false };
}

const {
  boolean,
  choice,
  durationOrOff,
  emailAddress,
  guidOrNone,
  headerSecret,
  integer,
  ipAddress,
  list,
  nameInAddress,
  network,
  origin,
  secureAddress,
  text,
  webAddress,
} = kind;
const PORT_RANGE = [1, 65_535] as const;

/** Every option, grouped as in the settings. The groups' keys are the settings' property names. */
export const OPTIONS = {
  service: {
    port: option('Port', integer(0, 65_535), 8080, 'HTTP port. The variable PORT is read too, and this one wins. 0 takes any free port.'),
    bindAddress: option('BindAddress', ipAddress(), '', 'Address to listen on; all IPv4 addresses when empty, :: for those of IPv6 too.'),
    dataPath: option('DataPath', text(), './data', 'Folder for everything the service writes to disk, the bundled PostgreSQL included.'),
    webPath: option(
      'WebPath',
      text(),
      './web/dist',
      'Folder with the front end, as `npm run web:build` builds it. Read once, at the start.',
    ),
    settingsFile: option('SettingsFile', text(), './settings.json', 'JSON file with options, read first when it exists. Environment only.'),
    secretsPath: option('SecretsPath', text(), '/run/secrets', 'Folder of secrets, read last when AppOptions:EnableDockerSecrets is on.'),
  },
  connectionStrings: {
    default: secret(
      'ConnectionStrings:Default',
      text(),
      '',
      'PostgreSQL server (14 or later), as postgres://user:password@host:5432/database or Host=…;Port=…;Username=…;Password=…;Database=…. ' +
        'Without it and without POSTGRES_… the bundled PostgreSQL is started.',
    ),
  },
  postgres: {
    host: option(
      'POSTGRES_HOST',
      text(),
      '',
      'Host of the PostgreSQL server, or a postgres:// address of which host and port are taken. localhost when only others are set.',
    ),
    port: option('POSTGRES_PORT', integer(...PORT_RANGE), 5432, 'Port of the PostgreSQL server.'),
    user: option('POSTGRES_USER', text(), 'postgres', 'Account at the PostgreSQL server.'),
    password: secret('POSTGRES_PASSWORD', text(), '', 'Password at the PostgreSQL server.'),
    database: option('POSTGRES_DB', text(), '', 'Database at the PostgreSQL server; named like the account when empty.'),
  },
  appOptions: {
    agentClockSkewTolerance: option(
      'AppOptions:AgentClockSkewTolerance',
      durationOrOff(),
      60_000,
      'Greatest difference between the time of a signed agent update and the server’s. Empty: no check, and captured updates can be replayed.',
    ),
    agentInstallerKeyHistoryDays: option(
      'AppOptions:AgentInstallerKeyHistoryDays',
      integer(),
      90,
      'Days after which records of installer key use are removed; 0 or less keeps them for ever.',
    ),
    allowAgentsToSelfBootstrap: option(
      'AppOptions:AllowAgentsToSelfBootstrap',
      boolean(),
      false,
      'Unknown devices may register over the agent hub without an installer key, on a server with one tenant.',
    ),
    authenticatorIssuerName: option(
      'AppOptions:AuthenticatorIssuerName',
      text(),
      'Device Management',
      'Name of the service in authenticator apps and for passkeys.',
    ),
    authorizationChangeLogRetentionDays: option(
      'AppOptions:AuthorizationChangeLogRetentionDays',
      integer(),
      0,
      'Days after which entries of the authorization change log are removed; 0 or less keeps them for ever.',
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
    deviceActivityRetentionDays: option(
      'AppOptions:DeviceActivityRetentionDays',
      integer(),
      365,
      'Days after which audit records of terminals, transfers and remote sessions are removed; 0 or less keeps them for ever.',
    ),
    disableDesktopPreview: option('AppOptions:DisableDesktopPreview', boolean(), false, 'Refuses desktop previews and hides their button.'),
    disableEmailSending: option('AppOptions:DisableEmailSending', boolean(), false, 'Sends no mail; new accounts count as confirmed.'),
    disableFirstUserSelfRegistration: option(
      'AppOptions:DisableFirstUserSelfRegistration',
      boolean(),
      false,
      'The first visitor of an empty server may not register as its administrator.',
    ),
    dockerGatewayIp: option(
      'AppOptions:DockerGatewayIp',
      ipAddress(),
      '',
      'Address of the container gateway, whose X-Forwarded headers count.',
    ),
    downloadSpoolSize: option(
      'AppOptions:DownloadSpoolSize',
      integer(0),
      4_294_967_296,
      'Bytes that all downloads together may have waiting on the server, so that devices need not wait for slow clients. Tenants share it as they share UploadSpoolSize.',
    ),
    downloadSpoolSizePerCaller: option(
      'AppOptions:DownloadSpoolSizePerCaller',
      integer(0),
      1_073_741_824,
      'Bytes that the downloads of one user or service account may have waiting on the server. With more, the device waits for the client.',
    ),
    enableApiBrowserUi: option(
      'AppOptions:EnableApiBrowserUi',
      boolean(),
      false,
      'Serves the API browser at /api-browser and the descriptions at /openapi. On by default when NODE_ENV is development.',
    ),
    enableCors: option('AppOptions:EnableCors', boolean(), false, 'Answers cross-origin requests of CorsAllowedOrigins.'),
    enableDockerSecrets: option(
      'AppOptions:EnableDockerSecrets',
      boolean(),
      false,
      'Reads SecretsPath: one file an option, its name without prefix.',
    ),
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
      'Trusts the X-Forwarded headers of everyone. Only behind a closed network.',
    ),
    enablePublicRegistration: option(
      'AppOptions:EnablePublicRegistration',
      boolean(),
      false,
      'Anyone may register; each gets a new tenant.',
    ),
    enableSignalrDetailedErrors: option(
      'AppOptions:EnableSignalrDetailedErrors',
      boolean(),
      false,
      'Hub clients are told the text of unexpected errors.',
    ),
    externalUserCleanupAfterDays: option(
      'AppOptions:ExternalUserCleanupAfterDays',
      integer(),
      30,
      'Days of inactivity after which users made by logon tokens are removed; below 1 keeps them.',
    ),
    gitHubClientId: option('AppOptions:GitHubClientId', text(), '', 'Id of the OAuth app at GitHub, with which people sign in.'),
    gitHubClientSecret: secret('AppOptions:GitHubClientSecret', text(), '', 'Its secret. Both are set together.'),
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
      'Networks of proxies whose X-Forwarded headers count, beside loopback.',
    ),
    knownProxies: option(
      'AppOptions:KnownProxies',
      list(ipAddress()),
      [],
      'Addresses of proxies whose X-Forwarded headers count, beside loopback.',
    ),
    logonTokenGrantCleanupAfterDays: option(
      'AppOptions:LogonTokenGrantCleanupAfterDays',
      integer(),
      7,
      'Days after which permissions of logon tokens that no session uses are removed; below 1 keeps them.',
    ),
    maxFileTransferSize: option(
      'AppOptions:MaxFileTransferSize',
      integer(),
      104_857_600,
      'Largest file that may be uploaded, in bytes; 0 or less has no limit.',
    ),
    microsoftClientId: option(
      'AppOptions:MicrosoftClientId',
      text(),
      '',
      'Id of the app registration at Microsoft, with which people of any organization sign in, and those with private accounts.',
    ),
    microsoftClientSecret: secret('AppOptions:MicrosoftClientSecret', text(), '', 'Its secret. Both are set together.'),
    persistPasskeyLogin: option(
      'AppOptions:PersistPasskeyLogin',
      boolean(),
      false,
      'A browser that signed in with a passkey stays signed in after it was closed.',
    ),
    publicUrl: option(
      'AppOptions:PublicUrl',
      webAddress(),
      '',
      'Address under which browsers and agents reach the service, used in links and deployment scripts. Empty: links in answers name the host that the caller called (X-Forwarded-Host and X-Forwarded-Proto of a proxy in KnownProxies, KnownNetworks or DockerGatewayIp, else Host), no mail is sent, except in development, and passkeys work on localhost only.',
    ),
    requireDeviceKeys: option(
      'AppOptions:RequireDeviceKeys',
      boolean(),
      false,
      'Refuses registrations without a public key, unsigned updates, and all updates of devices that have no key until they are registered with one.',
    ),
    requireUserEmailConfirmation: option(
      'AppOptions:RequireUserEmailConfirmation',
      boolean(),
      false,
      'Users must confirm their e-mail address before they sign in.',
    ),
    requireUserUniqueEmail: option('AppOptions:RequireUserUniqueEmail', boolean(), true, 'No two users may have the same e-mail address.'),
    serviceAccountAuthFailureLimit: option(
      'AppOptions:ServiceAccountAuthFailureLimit',
      integer(),
      5,
      'Failed authentications, per address and per credential, after which it is blocked for the window; 0 or less switches this off.',
    ),
    serviceAccountAuthFailureWindowMinutes: option(
      'AppOptions:ServiceAccountAuthFailureWindowMinutes',
      integer(undefined, 525_600),
      5,
      'Minutes in which failed authentications are counted; 0 or less switches this off.',
    ),
    securityLogRetentionDays: option(
      'AppOptions:SecurityLogRetentionDays',
      integer(),
      365,
      'Days after which entries of the security log are removed; 0 or less keeps them for ever.',
    ),
    sessionIdleDays: option('AppOptions:SessionIdleDays', integer(1, 400), 14, 'Days without use after which a browser is signed out.'),
    sessionLifetimeDays: option(
      'AppOptions:SessionLifetimeDays',
      integer(1, 400),
      90,
      'Days after its sign-in at which a browser is signed out, however much it is used.',
    ),
    signInFailureLimit: option(
      'AppOptions:SignInFailureLimit',
      integer(1, 100),
      5,
      'Failed sign-ins, codes included, from one address, session or known browser, after which these are locked out of the account. Ten times as many from all addresses lock it for all but sessions and known browsers.',
    ),
    signInLockoutMinutes: option('AppOptions:SignInLockoutMinutes', integer(1, 1440), 5, 'Minutes for which a lock-out lasts.'),
    smtpHost: option('AppOptions:SmtpHost', text(), '', 'Mail server. Mail is sent when SmtpHost, SmtpEmail and SmtpDisplayName are set.'),
    smtpPort: option('AppOptions:SmtpPort', integer(...PORT_RANGE), 587, 'Port of the mail server.'),
    smtpUserName: option('AppOptions:SmtpUserName', text(), '', 'Account at the mail server; used together with SmtpPassword.'),
    smtpPassword: secret('AppOptions:SmtpPassword', text(), '', 'Password at the mail server.'),
    smtpEmail: option('AppOptions:SmtpEmail', emailAddress(), '', 'Sender address of mail.'),
    smtpDisplayName: option('AppOptions:SmtpDisplayName', text(), '', 'Sender name of mail, and the name of the service in its text.'),
    smtpLocalDomain: option('AppOptions:SmtpLocalDomain', text(), '', 'Domain by which the service introduces itself to the mail server.'),
    stepUpAfterMinutes: option(
      'AppOptions:StepUpAfterMinutes',
      integer(1, 1440),
      15,
      'Minutes after a sign-in or another proof of identity from which changes of credentials ask for a proof again.',
    ),
    uploadSpoolReserve: option(
      'AppOptions:UploadSpoolReserve',
      integer(0),
      1_073_741_824,
      'Bytes that waiting uploads and downloads leave free on the disk of DataPath. Below, uploads that have to wait on the server are refused.',
    ),
    uploadSpoolSize: option(
      'AppOptions:UploadSpoolSize',
      integer(0),
      4_294_967_296,
      'Bytes that all uploads together may have waiting on the server: one tenant alone seven eighths of it, beside others half. Only a file that comes before the fields of its form waits.',
    ),
    uploadSpoolSizePerCaller: option(
      'AppOptions:UploadSpoolSizePerCaller',
      integer(0),
      1_073_741_824,
      'Bytes that the uploads of one user or service account may have waiting on the server; also the largest file that may wait.',
    ),
    useHttpLogging: option(
      'AppOptions:UseHttpLogging',
      boolean(),
      false,
      'Logs each request, without its query string; /health, /health/ready and /alive are left out.',
    ),
  },
  bootstrap: {
    serverServiceAccountName: option(
      'Bootstrap:ServerServiceAccountName',
      text(),
      '',
      'Name of the first server service account, 1 to 100 characters.',
    ),
    serverServiceAccountDescription: option('Bootstrap:ServerServiceAccountDescription', text(), '', 'Its description.'),
    serverServiceAccountId: option('Bootstrap:ServerServiceAccountId', guidOrNone(), null, 'Its id; a new one when empty.'),
    serverServiceAccountTokenId: option('Bootstrap:ServerServiceAccountTokenId', guidOrNone(), null, 'Id of its first credential.'),
    serverServiceAccountTokenSecret: secret(
      'Bootstrap:ServerServiceAccountTokenSecret',
      headerSecret(MIN_BOOTSTRAP_SECRET_LENGTH, MAXIMUM_SECRET_LENGTH),
      '',
      'Secret of its first credential. Name, token id and secret are set together.',
    ),
    adminEmail: option(
      'Bootstrap:AdminEmail',
      emailAddress(),
      '',
      'E-mail address of the first administrator of the server, made while there are no users.',
    ),
    adminPassword: secret(
      'Bootstrap:AdminPassword',
      text(),
      '',
      'Password of the first administrator; set together with the address. One that breaks the rules is logged, and nobody is made.',
    ),
    adminPatTokenId: option(
      'Bootstrap:AdminPatTokenId',
      guidOrNone(),
      null,
      'Id of a personal access token for the first administrator, which has all rights of the user.',
    ),
    adminPatSecret: secret(
      'Bootstrap:AdminPatSecret',
      headerSecret(MIN_BOOTSTRAP_SECRET_LENGTH, MAXIMUM_SECRET_LENGTH),
      '',
      'Secret of that personal access token; set together with its id.',
    ),
  },
  serverLifecycle: {
    decommissionServer: option(
      'ServerLifecycle:DecommissionServer',
      boolean(),
      false,
      'Agents are uninstalled at their next contact and their devices removed.',
    ),
  },
  openIdConnect: {
    name: option(
      'OpenIdConnect:<n>:Name',
      nameInAddress(MAXIMUM_PROVIDER_NAME_LENGTH),
      '',
      'Name of an OpenID Connect provider, which stands in addresses and must stay: the connected accounts are found by it. `<n>` is 0 for the first provider, 1 for the second and so on.',
    ),
    displayName: option('OpenIdConnect:<n>:DisplayName', text(), '', 'What people see; the name when empty.'),
    issuer: option(
      'OpenIdConnect:<n>:Issuer',
      secureAddress(),
      '',
      'Its issuer exactly as the provider writes it. `/.well-known/openid-configuration` is below it.',
    ),
    clientId: option('OpenIdConnect:<n>:ClientId', text(), '', 'Id under which the provider knows this service.'),
    clientSecret: secret('OpenIdConnect:<n>:ClientSecret', text(), '', 'Secret that belongs to the id.'),
    clientAuthentication: option(
      'OpenIdConnect:<n>:ClientAuthentication',
      choice(['Basic', 'Post']),
      'Basic',
      'Where the service sends the secret: in a header (`client_secret_basic`) or in the body (`client_secret_post`).',
    ),
    scopes: option('OpenIdConnect:<n>:Scopes', text(), 'openid profile email', 'What to ask the provider for, separated by spaces.'),
  },
  agentBundle: {
    folder: option(
      'AgentBundle:Folder',
      text(),
      './agent-bundles',
      "Folder with the bundles of the service's own agent, as `npm run agent:bundle` builds them. Files of `downloads` in the data folder come first.",
    ),
    buildAtStart: option(
      'AgentBundle:BuildAtStart',
      boolean(),
      true,
      "Build the bundle of this machine's own platform in the background after a start, if there is none and the service runs from a checkout. npm fetches some 60 MB for it.",
    ),
    brandName: option(
      'AgentBundle:BrandName',
      text(),
      'ControlR',
      'Brand name in the bundle metadata; agents accept only the one they were built with.',
    ),
    publisher: option(
      'AgentBundle:Publisher',
      text(),
      'Bitbound',
      'Publisher in the bundle metadata; agents accept only the one they were built with.',
    ),
  },
  telemetryDashboard: {
    publicWebUrl: option(
      'TelemetryDashboard:PublicWebUrl',
      webAddress(),
      '',
      'Address of a telemetry dashboard that the page of server logs links to.',
    ),
    token: secret('TelemetryDashboard:Token', text(), '', 'Token that the link carries.'),
  },
  logging: {
    level: option(
      'Logging:LogLevel:Default',
      choice(['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical', 'None']),
      'Information',
      'Least important messages that are logged.',
    ),
    format: option(
      'Logging:Format',
      choice(['Text', 'Json']),
      'Text',
      'Form of the log on standard output: lines for people, or one JSON object a line for a collector.',
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
