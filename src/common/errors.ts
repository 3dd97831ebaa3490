/** Why an operation was refused. Each code has exactly one HTTP status (`problem-details.ts`). */
export enum ErrorCode {
  Invalid = 'Invalid',
  Unauthorized = 'Unauthorized',
  Forbidden = 'Forbidden',
  NotFound = 'NotFound',
  MethodNotAllowed = 'MethodNotAllowed',
  RequestTimeout = 'RequestTimeout',
  Conflict = 'Conflict',
  PayloadTooLarge = 'PayloadTooLarge',
  UnsupportedMediaType = 'UnsupportedMediaType',
  TooManyRequests = 'TooManyRequests',
  BadGateway = 'BadGateway',
  Unavailable = 'Unavailable',
  GatewayTimeout = 'GatewayTimeout',
}

/** Messages by field name, as the `errors` member of Problem Details carries them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refusal that a caller can act on. Services throw it; the edges map it to Problem Details or to a HubResult failure. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: FieldErrors,
    readonly headers?: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

/** 400: the request as a whole makes no sense. */
export const invalid = (message: string): DomainError => new DomainError(ErrorCode.Invalid, message);

/** 400: fields are wrong; their messages stand under `errors`. */
export const invalidFields = (errors: FieldErrors): DomainError =>
  new DomainError(ErrorCode.Invalid, 'One or more fields are invalid.', errors);

/** 400: one field is wrong; the message stands under `errors`. */
export const invalidField = (field: string, message: string): DomainError => invalidFields({ [field]: [message] });

/** 401: no credential, or one that does not authenticate. */
export const unauthorized = (message: string): DomainError => new DomainError(ErrorCode.Unauthorized, message);

/** 403: authenticated, but the rule that the message names forbids it. */
export const forbidden = (message = 'You do not have permission to do this.'): DomainError => new DomainError(ErrorCode.Forbidden, message);

/** 404: there is no such object for this caller. The wording never tells whether a foreign object exists. */
export const notFound = (what: string): DomainError => new DomainError(ErrorCode.NotFound, `${what} was not found.`);

/** 409: the current state of the object does not allow it. */
export const conflict = (message: string): DomainError => new DomainError(ErrorCode.Conflict, message);

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

/** The message of a thrown value, which need not be an Error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
