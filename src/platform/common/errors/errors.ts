/** Reasons for the refusal of an operation. Each code has exactly one HTTP status (`problem-details.ts`). */
export enum ErrorCode {
  Invalid = 'Invalid',
  Unauthorized = 'Unauthorized',
  Forbidden = 'Forbidden',
  NotFound = 'NotFound',
  MethodNotAllowed = 'MethodNotAllowed',
  RequestTimeout = 'RequestTimeout',
  Conflict = 'Conflict',
  Gone = 'Gone',
  PreconditionFailed = 'PreconditionFailed',
  PayloadTooLarge = 'PayloadTooLarge',
  UnsupportedMediaType = 'UnsupportedMediaType',
  TooManyRequests = 'TooManyRequests',
  BadGateway = 'BadGateway',
  Unavailable = 'Unavailable',
  GatewayTimeout = 'GatewayTimeout',
}

/** Messages by field name, as in the `errors` member of Problem Details. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Action that a client must take before it repeats a refused request, as the `reason` of Problem Details. */
export type RefusalReason = 'StepUpRequired' | 'PasswordChangeRequired';

/** A refusal that a caller can act on. Services throw it; controllers and hubs turn it into Problem Details or a failed HubResult. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** Set where a client can do something about the refusal by itself. */
  readonly reason?: RefusalReason;
  /** Further members of the error body, by name. */
  readonly members?: Readonly<Record<string, string | null>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: FieldErrors,
    readonly headers?: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

/** 400: the request as a whole is invalid. */
export const invalid = (message: string): DomainError => new DomainError(ErrorCode.Invalid, message);

/** 400: several fields are invalid; `errors` has their messages. */
export const invalidFields = (errors: FieldErrors): DomainError =>
  new DomainError(ErrorCode.Invalid, 'One or more fields are invalid.', errors);

/** 400: one field is invalid; `errors` has its message. */
export const invalidField = (field: string, message: string): DomainError => invalidFields({ [field]: [message] });

/** 401: no credential, or one that does not authenticate. */
export const unauthorized = (message: string): DomainError => new DomainError(ErrorCode.Unauthorized, message);

/** 403: the caller is authenticated, but a rule, which the message names, forbids the operation. */
export const forbidden = (message = 'You do not have permission to do this.'): DomainError => new DomainError(ErrorCode.Forbidden, message);

/** 404: the object does not exist for this caller. The message never reveals whether it exists elsewhere. */
export const notFound = (what: string): DomainError => new DomainError(ErrorCode.NotFound, `${what} was not found.`);

/** 409: the current state of the object does not allow the operation. */
export const conflict = (message: string): DomainError => new DomainError(ErrorCode.Conflict, message);

/** 412: the object is in another state than the caller expects. */
export const preconditionFailed = (): DomainError =>
  new DomainError(ErrorCode.PreconditionFailed, 'It was changed after you read it. Read it again, then repeat your change.');

/** Reason why nothing reaches the agent of a device, and the remedy. */
export const KEY_PENDING_REASON =
  'The device was registered again with another key. It cannot be reached until someone with the permission device.agent.update approves that key.';

/** 409: the key of the device waits for approval. */
export class KeyPendingError extends DomainError {
  constructor() {
    super(ErrorCode.Conflict, KEY_PENDING_REASON);
  }
}

/** Reason why something that ran on a device has ended. */
export const KEY_REPLACED_REASON = 'The device has another key now. Sessions over its previous key have ended.';

/** 409: the device has another key than when the work on it began. */
export class KeyReplacedError extends DomainError {
  constructor() {
    super(ErrorCode.Conflict, KEY_REPLACED_REASON);
  }
}

/** 403: the user must confirm their identity again (`POST /account/step-up`). */
export class StepUpRequiredError extends DomainError {
  override readonly reason = 'StepUpRequired';

  constructor(detail: string) {
    super(ErrorCode.Forbidden, detail);
  }
}

/** 403: the user must set a new password before anything else. */
export class PasswordChangeRequiredError extends DomainError {
  override readonly reason = 'PasswordChangeRequired';

  constructor() {
    super(ErrorCode.Forbidden, 'Choose your own password first. An administrator set the current one.');
  }
}

/** 410: what the request names was there and is gone. `members` are added to the error body. */
export class GoneError extends DomainError {
  constructor(
    message: string,
    override readonly members: Readonly<Record<string, string | null>>,
  ) {
    super(ErrorCode.Gone, message);
  }
}

/** 502: the device refused; the message is the device's own. */
export class RefusedByDevice extends DomainError {
  constructor(reason: string) {
    super(ErrorCode.BadGateway, reason);
  }
}

/** 503: a bound is reached that protects the other callers. The caller may try again after some seconds. */
export const busy = (message: string, retryAfterSeconds = 1): DomainError =>
  new DomainError(
    ErrorCode.Unavailable,
    `${message} Try again in ${retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`}.`,
    undefined,
    {
      'Retry-After': String(retryAfterSeconds),
    },
  );

/** The message of a thrown value, which may be something other than an Error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
