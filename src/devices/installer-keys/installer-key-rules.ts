import { invalidField } from '../../platform/common/errors/errors.js';
import { InstallerKeyType, type InstallerKey } from './installer-key.entity.js';

/** Validity of a UsageBased key, whatever expiry its creator asked for. */
const USAGE_BASED_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The limits of a key. */
export type KeyLimits = Pick<InstallerKey, 'keyType' | 'allowedUses' | 'expiration'>;

/** State of a key: usable, or the reason for which it is not. */
export enum KeyState {
  Usable = 'Usable',
  Expired = 'Expired',
  Exhausted = 'Exhausted',
}

/**
 * The limits of a new key. 400 for a number of uses if the type does not count uses. An expiration is dropped if the
 * type determines it, so a key never shows a limit that does not apply. `now` is in milliseconds.
 */
export function limitsOf(asked: KeyLimits, now: number): KeyLimits {
  switch (asked.keyType) {
    case InstallerKeyType.UsageBased:
      if (asked.allowedUses === 0) throw invalidField('allowedUses', 'allowedUses must be at least 1 for a UsageBased key.');
      return { keyType: asked.keyType, allowedUses: asked.allowedUses, expiration: new Date(now + USAGE_BASED_LIFETIME_MS) };
    case InstallerKeyType.TimeBased:
      requireNoUses(asked);
      if (asked.expiration === null) throw invalidField('expiration', 'expiration is required for a TimeBased key.');
      if (asked.expiration.getTime() <= now) throw invalidField('expiration', 'expiration must be in the future.');
      return { keyType: asked.keyType, allowedUses: null, expiration: asked.expiration };
    case InstallerKeyType.Persistent:
      requireNoUses(asked);
      return { keyType: asked.keyType, allowedUses: null, expiration: null };
    case InstallerKeyType.Unknown:
      break;
  }
  throw invalidField('keyType', 'keyType is required.');
}

function requireNoUses({ keyType, allowedUses }: KeyLimits): void {
  if (allowedUses === null || allowedUses === 0) return;
  throw invalidField('allowedUses', `allowedUses must be null or 0 for a ${keyType} key: only the uses of UsageBased keys are counted.`);
}

/** The state of a key at an instant (milliseconds) after a number of uses. `InstallerKeysRepository` lists by the same rule. */
export function stateOf(
  { keyType, allowedUses, expiration, usageCount }: KeyLimits & Pick<InstallerKey, 'usageCount'>,
  now: number,
): KeyState {
  if (keyType === InstallerKeyType.Persistent) return KeyState.Usable;
  if (expiration === null || expiration.getTime() < now) return KeyState.Expired;
  const isExhausted = keyType === InstallerKeyType.UsageBased && allowedUses !== null && usageCount >= allowedUses;
  return isExhausted ? KeyState.Exhausted : KeyState.Usable;
}

/** A key as the change log records it, without its secret. */
export function logStateOf({ friendlyName, keyType, allowedUses, expiration }: KeyLimits & Pick<InstallerKey, 'friendlyName'>): object {
  return { friendlyName, keyType, allowedUses, expiration };
}
