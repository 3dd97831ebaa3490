import { isDeepStrictEqual } from 'node:util';

import { type Option, OPTIONS } from './options.js';
import type { Settings } from './settings.js';

/** Groups with options that a running service takes on SIGHUP. They have the same names in the settings. */
const GROUPS = [
  'appOptions',
  'agentBundle',
  'backup',
  'events',
  'webhooks',
  'forwarding',
  'serverLifecycle',
  'telemetryDashboard',
  'metrics',
  'logging',
] as const;

/** Parts of the settings that change with a restart only, by the options that set them. */
const WITH_A_RESTART = {
  port: OPTIONS.service.port.key,
  bindAddress: OPTIONS.service.bindAddress.key,
  dataPath: OPTIONS.service.dataPath.key,
  webPath: OPTIONS.service.webPath.key,
  database: `${OPTIONS.connectionStrings.default.key} or POSTGRES_…`,
  bootstrap: 'Bootstrap:…',
  openIdConnect: 'OpenIdConnect:…',
  nodes: 'Nodes:…',
} as const satisfies Partial<Record<keyof Settings, string>>;

/** The result of comparing the settings in effect with those that were read again. */
export interface Reload {
  /** The settings with the new values of the options that can change without a restart. */
  readonly settings: Settings;
  /** A phrase for each of these, such as `AppOptions:SmtpPort: 587 → 465`. A secret has no values, and a file that was written again only its name. */
  readonly changes: readonly string[];
  /** The changed options that keep their value until the next start. */
  readonly restarts: readonly string[];
}

/** Compares the settings in effect with those that were read again. */
export function compareSettings(inEffect: Settings, read: Settings): Reload {
  const changes: string[] = [];
  const restarts: string[] = [];
  const groups = GROUPS.map((group) => {
    const values = new Map(Object.entries<unknown>(inEffect[group]));
    const newValues = new Map(Object.entries<unknown>(read[group]));
    for (const [name, option] of Object.entries<Option<unknown>>(OPTIONS[group])) {
      const [before, after] = [values.get(name), newValues.get(name)];
      if (isDeepStrictEqual(before, after)) continue;
      if (!option.reloads) {
        restarts.push(option.key);
        continue;
      }
      changes.push(phraseOf(option, before, after));
      values.set(name, after);
    }
    return [group, Object.freeze(Object.fromEntries(values))];
  });
  for (const [part, options] of Object.entries(WITH_A_RESTART)) {
    const name = part as keyof typeof WITH_A_RESTART;
    if (!isDeepStrictEqual(inEffect[name], read[name])) restarts.push(options);
  }
  const { warnings } = read;
  return { settings: Object.freeze({ ...inEffect, ...Object.fromEntries(groups), warnings }), changes, restarts };
}

function phraseOf({ key, kind, secret }: Option<unknown>, before: unknown, after: unknown): string {
  if (secret) return `${key} (secret)`;
  const [old, now] = [before, after].map((value) => kind.format(value) || '(empty)');
  return old === now ? `${key} (new content)` : `${key}: ${old} → ${now}`;
}

/** Settings whose groups of options are always those in effect, and whose warnings are about the configuration as it was read last. */
export class LiveSettings {
  readonly view: Settings;
  private inEffect: Settings;

  /** @param start the settings with which the service starts */
  constructor(start: Settings) {
    this.inEffect = start;
    this.view = { ...start };
    for (const part of [...GROUPS, 'warnings'] as const) {
      Object.defineProperty(this.view, part, { enumerable: true, get: () => this.inEffect[part] });
    }
    Object.freeze(this.view);
  }

  /** Takes the groups and warnings of other settings from now on. */
  take(settings: Settings): void {
    this.inEffect = settings;
  }
}
