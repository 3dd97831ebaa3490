import { DomainError, ErrorCode, invalidField } from '../../platform/common/errors/errors.js';
import type { NamedSetting, SettingValue } from './named-setting.js';

/** Longest name and longest text of a setting, in characters, as the columns are defined. */
export const MAXIMUM_SETTING_LENGTH = 100;

const NAME = /^[a-zA-Z0-9-]{1,100}$/;

/** New values of settings: null clears one, and one that is left out stays as it is. */
export type SettingChanges<V extends Record<keyof V, SettingValue>> = { readonly [F in keyof V]?: V[F] | null };

/** The known settings, by the member of the DTO that carries them. */
export type NamedSettingTable<V extends Record<keyof V, SettingValue>> = { readonly [F in keyof V]: NamedSetting<V[F]> };

/**
 * Settings that are stored as texts under their names. Each known setting has a parser. Unknown ones belong to clients and are
 * stored as they are, without surrounding white space. A blank text means that the setting is not set.
 */
export class NamedSettings<V extends Record<keyof V, SettingValue>> {
  private readonly fields: readonly (readonly [field: string, setting: NamedSetting<SettingValue>])[];
  private readonly byName: ReadonlyMap<string, NamedSetting<SettingValue>>;

  constructor(table: NamedSettingTable<V>) {
    this.fields = Object.entries<NamedSetting<SettingValue>>(table);
    this.byName = new Map(this.fields.map(([, setting]) => [setting.name, setting]));
  }

  /** The value of every known setting. One that is not set or no longer valid has its default. */
  valuesOf(texts: ReadonlyMap<string, string>): V {
    const values = this.fields.map(([field, { name, parse, defaultValue }]) => [field, parse(texts.get(name) ?? '') ?? defaultValue]);
    return Object.fromEntries(values) as V;
  }

  /** The text to store for a setting, or null for a blank one; 400 under `value` when it is invalid for a known setting. */
  textOf(name: string, value: string): string | null {
    const text = value.trim();
    const known = this.byName.get(name);
    if (text === '' || known === undefined) return text === '' ? null : text;
    const parsed = known.parse(text);
    if (parsed === undefined) throw invalidField('value', `${name} must be ${known.rule}.`);
    return String(parsed);
  }

  /**
   * The texts to store for the known settings that are given, by name: null for those to clear. Settings that are left out are not
   * in it. 400 names every invalid field.
   */
  textsOf(changes: SettingChanges<V>): ReadonlyMap<string, string | null> {
    const texts = new Map<string, string | null>();
    const errors: Record<string, string[]> = {};
    for (const [field, { name, parse, rule }] of this.fields) {
      const given = changes[field as keyof V];
      if (given === undefined) continue;
      const text = given === null ? '' : String(given).trim();
      const parsed = text === '' ? null : parse(text);
      if (parsed === undefined) errors[field] = [`${field} must be ${rule}.`];
      else texts.set(name, parsed === null ? null : String(parsed));
    }
    if (Object.keys(errors).length > 0) throw new DomainError(ErrorCode.Invalid, 'One or more fields are invalid.', errors);
    return texts;
  }
}

/** The name without white space around it; 400 under `field` unless it consists of letters, digits and hyphens. */
export function settingName(name: string, field: string): string {
  const trimmed = name.trim();
  if (NAME.test(trimmed)) return trimmed;
  throw invalidField(field, `${field} must have 1 to ${MAXIMUM_SETTING_LENGTH} letters, digits and hyphens.`);
}
