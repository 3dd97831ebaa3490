import type { DatabaseSettings } from './database-settings.js';
import type { OpenIdConnectSettings } from './open-id-connect-settings.js';
import type { OptionWarning } from './option-warnings.js';
import type { OptionValues } from './options.js';

/** The first service account of the server, created from the configuration. */
export interface ServiceAccountBootstrap {
  readonly name: string;
  readonly description: string;
  /** Null: a new id. */
  readonly id: string | null;
  readonly tokenId: string;
  readonly tokenSecret: string;
}

/** The first administrator, created while there are no users. */
export interface AdministratorBootstrap {
  readonly email: string;
  readonly password: string;
  readonly personalAccessToken: { readonly id: string; readonly secret: string } | null;
}

/**
 * The service's configuration: read once at start, complete, checked and frozen. Also its injection token. `redacted`
 * makes a copy that may be logged.
 */
export abstract class Settings {
  /** `development` when NODE_ENV says so; everything else is production. */
  abstract readonly environment: 'development' | 'production';
  /** 0 takes any free port. */
  abstract readonly port: number;
  /** Empty: all addresses. */
  abstract readonly bindAddress: string;
  /** Absolute path. */
  abstract readonly dataPath: string;
  /** True when the operator named the folder; it is then never replaced by another one. */
  abstract readonly dataPathIsExplicit: boolean;
  /** Absolute path. */
  abstract readonly webPath: string;
  abstract readonly database: DatabaseSettings;
  /** Durations are in milliseconds; null is off. */
  abstract readonly appOptions: OptionValues['appOptions'];
  abstract readonly bootstrap: {
    readonly serviceAccount: ServiceAccountBootstrap | null;
    readonly administrator: AdministratorBootstrap | null;
  };
  abstract readonly serverLifecycle: OptionValues['serverLifecycle'];
  /** The named providers in the order of their numbers. */
  abstract readonly openIdConnect: readonly OpenIdConnectSettings[];
  abstract readonly agentBundle: OptionValues['agentBundle'];
  /** The time is in minutes after midnight; null is off. An empty folder is that in the data folder (`backup-folder.ts`). */
  abstract readonly backup: OptionValues['backup'];
  abstract readonly events: OptionValues['events'];
  abstract readonly webhooks: OptionValues['webhooks'];
  /** The file is an absolute path, `STANDARD_OUTPUT` or empty. Files for TLS have their content. */
  abstract readonly forwarding: OptionValues['forwarding'];
  /** No address of NATS: this process is the only one. The file of authorities has its content. */
  abstract readonly nodes: OptionValues['nodes'];
  abstract readonly telemetryDashboard: OptionValues['telemetryDashboard'];
  /** Port 0 is off. An empty address stands for all. */
  abstract readonly metrics: OptionValues['metrics'];
  abstract readonly logging: OptionValues['logging'];
  /** Likely mistakes in the configuration. */
  abstract readonly warnings: readonly OptionWarning[];
}
