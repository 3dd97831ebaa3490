import { nullable, record } from './wire/composites.js';
import { MAX_TEXT_LENGTH } from './wire/limits.js';
import { bool, guid, text } from './wire/primitives.js';
import type { ContractType, Infer } from './wire/wire-type.js';

const DESCRIPTION = 'The result of a call. The reason of a failure is never blank.';
const NOTES = { reason: 'The reason of a failure; null on success.', errorCode: 'Null; reserved.' };
const outcome = { isSuccess: bool, reason: nullable(text(MAX_TEXT_LENGTH)), errorCode: nullable(guid) };

/** .NET clients throw when the reason of a failure is blank. */
const UNNAMED_FAILURE = 'The operation failed.';

/** Success, or a failure with its reason. */
export const HubResult = record('HubResult', DESCRIPTION, outcome, NOTES);
export type HubResult = Infer<typeof HubResult>;

/** Success with a value, or a failure with its reason. */
export type HubResultOf<T> = { value: T | null } & HubResult;

/** The type of a result whose value is of the type `value`. */
export function hubResultOf<T>(value: ContractType<T>): ContractType<HubResultOf<T>> {
  const members = { value: nullable(value), ...outcome };
  return record(`HubResult<${value.name}>`, DESCRIPTION, members, { ...NOTES, value: 'Null on failure.' });
}

/** The result of a call that has succeeded without a value. */
export function hubOk(): HubResult {
  return { isSuccess: true, reason: null, errorCode: null };
}

/** The result of a call that has succeeded with a value. */
export function hubValue<T>(value: T): HubResultOf<T> {
  return { value, isSuccess: true, reason: null, errorCode: null };
}

/** The result of a call that has failed. It fits every result type. */
export function hubFailure(reason: string): HubResultOf<never> {
  return { value: null, isSuccess: false, reason: reason.trim() === '' ? UNNAMED_FAILURE : reason, errorCode: null };
}
