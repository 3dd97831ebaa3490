import { describe, expect, it } from 'vitest';
import { compareSettings, LiveSettings } from './live-settings.js';
import { loadSettings } from './load-settings.js';
import { allOptions, OPTIONS } from './options.js';
import type { Settings } from './settings.js';

function read(env: NodeJS.ProcessEnv): Settings {
  return loadSettings({ env, cwd: '/none' }).settings;
}

describe('settings that are read again', () => {
  const start = read({ Service_AppOptions__SmtpPort: '587', Service_AppOptions__SmtpPassword: 'Tr0ub4dor', Service_Port: '8080' });

  it('change where an option can change without a restart, and say from what to what', () => {
    const { settings, changes, restarts } = compareSettings(
      start,
      read({
        Service_AppOptions__SmtpPort: '465',
        Service_AppOptions__SmtpHost: 'mail.example',
        Service_Logging__LogLevel__Default: 'Debug',
      }),
    );
    expect(settings).toMatchObject({ appOptions: { smtpPort: 465, smtpHost: 'mail.example' }, logging: { level: 'Debug' } });
    expect(changes).toEqual([
      'AppOptions:SmtpHost: (empty) → mail.example',
      'AppOptions:SmtpPort: 587 → 465',
      'AppOptions:SmtpPassword (secret)',
      'Logging:LogLevel:Default: Information → Debug',
    ]);
    expect(restarts).toEqual([]);
  });

  it('keep every other option, and name it', () => {
    const { settings, changes, restarts } = compareSettings(
      start,
      read({
        Service_AppOptions__SmtpPort: '587',
        Service_AppOptions__SmtpPassword: 'Tr0ub4dor',
        Service_Port: '9090',
        Service_AppOptions__PublicUrl: 'https://devices.example',
        POSTGRES_HOST: 'db.example',
        Service_Logging__Format: 'Json',
      }),
    );
    expect(settings).toEqual(start);
    expect(changes).toEqual([]);
    expect(restarts).toEqual(['AppOptions:PublicUrl', 'Logging:Format', 'Port', 'ConnectionStrings:Default or POSTGRES_…']);
  });

  it.each(Object.keys(OPTIONS))('name every option that was changed: the group %s', (group) => {
    // Such a group is a part of the settings under its own name, or its options are read into other parts.
    const parts: Readonly<Record<string, keyof Settings>> = { service: 'port', connectionStrings: 'database', postgres: 'database' };
    const part = parts[group] ?? group;
    const { changes, restarts } = compareSettings(start, { ...start, [part]: changed(valueIn(start, part)) });
    expect(changes.length + restarts.length).toBeGreaterThan(0);
  });

  it('give nothing where nothing changed', () => {
    expect(compareSettings(start, start)).toEqual({ settings: start, changes: [], restarts: [] });
  });

  it.each(
    allOptions()
      .filter(({ reloads }) => reloads)
      .map(({ key }) => key),
  )('reach services that hold the settings: %s', (key) => {
    const [group, name] = placeOf(key);
    const live = new LiveSettings(start);
    const before = valueOf(live.view, group, name);
    live.take({ ...start, [group]: { ...valuesOf(start, group), [name]: 'new' } });
    expect(before).not.toBe('new');
    expect(valueOf(live.view, group, name)).toBe('new');
  });

  it('cannot be changed by those who hold them', () => {
    expect(() => Object.assign(new LiveSettings(start).view, { backup: {} })).toThrow(TypeError);
  });
});

/** The same settings with other values. */
function changed(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, 'new'];
  if (typeof value !== 'object' || value === null) return 'new';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, Array.isArray(member) ? ['new'] : 'new']));
}

function placeOf(key: string): readonly [group: string, name: string] {
  for (const [group, options] of Object.entries(OPTIONS)) {
    for (const [name, option] of Object.entries(options)) if (option.key === key) return [group, name];
  }
  throw new Error(`There is no option ${key}.`);
}

function valueIn(settings: Settings, part: string): unknown {
  return new Map<string, unknown>(Object.entries(settings)).get(part);
}

function valuesOf(settings: Settings, group: string): object {
  const values = valueIn(settings, group);
  if (typeof values !== 'object' || values === null) throw new Error(`${group} is not a group of the settings.`);
  return values;
}

function valueOf(settings: Settings, group: string, name: string): unknown {
  return new Map<string, unknown>(Object.entries(valuesOf(settings, group))).get(name);
}
