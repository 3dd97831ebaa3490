import { nullable, record } from './wire/composites.js';
import { MAX_TEXT_LENGTH } from './wire/limits.js';
import { bool, guid, text } from './wire/primitives.js';
import type { ContractType, Infer } from './wire/wire-type.js';

const outcome = { isSuccess: bool, reason: nullable(text(MAX_TEXT_LENGTH)), errorCode: nullable(guid) };

/** Readers of other clients throw when the reason of a failure is blank. */
const UNNAMED_FAILURE = 'The operation failed.';

/** Success, or a failure with its reason. */
export const HubResult = record('HubResult', outcome);
export type HubResult = Infer<typeof HubResult>;

/** Success with a value, or a failure with its reason. */
export type HubResultOf<T> = { value: T | null } & HubResult;

export function hubResultOf<T>(value: ContractType<T>): ContractType<HubResultOf<T>> {
  const members = { value: nullable(value), ...outcome };
  return record(`HubResult<${value.name}>`, members);
}

/** The outcome of a call that succeeded and answers no value. */
export function hubOk(): HubResult {
  return { isSuccess: true, reason: null, errorCode: null };
}

/** The outcome of a call that succeeded with a value. */
export function hubValue<T>(value: T): HubResultOf<T> {
  return { value, isSuccess: true, reason: null, errorCode: null };
}

/** A failure; fits every kind of result. */
export function hubFailure(reason: string): HubResultOf<never> {
  return { value: null, isSuccess: false, reason: reason.trim() === '' ? UNNAMED_FAILURE : reason, errorCode: null };
}
