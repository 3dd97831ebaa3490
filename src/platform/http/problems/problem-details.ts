import { ErrorCode, type DomainError, type FieldErrors, type RefusalReason } from '../../common/errors/errors.js';

/** The media type of every error body. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The schemes that every service takes. They are its own, so that browsers do not ask the user for a password. */
const KEY_CHALLENGES = [
  'ApiKey realm="device-management", header="x-api-key"',
  'PersonalToken realm="device-management", header="x-personal-token"',
];
const BEARER_CHALLENGE = 'Bearer realm="device-management"';

/** The value of `WWW-Authenticate` in every 401 (RFC 9110, section 11.6.1). */
export function challengeOf({ isBearerEnabled }: { readonly isBearerEnabled: boolean }): string {
  return [...KEY_CHALLENGES, ...(isBearerEnabled ? [BEARER_CHALLENGE] : [])].join(', ');
}

/** An error body (RFC 9457). */
export interface ProblemDetails {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly traceId?: string;
  readonly errors?: FieldErrors;
  /** Action that a client must take before it repeats the request. */
  readonly reason?: RefusalReason;
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  [ErrorCode.Invalid]: 400,
  [ErrorCode.Unauthorized]: 401,
  [ErrorCode.Forbidden]: 403,
  [ErrorCode.NotFound]: 404,
  [ErrorCode.MethodNotAllowed]: 405,
  [ErrorCode.RequestTimeout]: 408,
  [ErrorCode.Conflict]: 409,
  [ErrorCode.Gone]: 410,
  [ErrorCode.PreconditionFailed]: 412,
  [ErrorCode.PayloadTooLarge]: 413,
  [ErrorCode.UnsupportedMediaType]: 415,
  [ErrorCode.TooManyRequests]: 429,
  [ErrorCode.BadGateway]: 502,
  [ErrorCode.Unavailable]: 503,
  [ErrorCode.GatewayTimeout]: 504,
};

const TITLE: Readonly<Record<number, string>> = {
  400: 'Invalid request.',
  401: 'Unauthorized.',
  403: 'Forbidden.',
  404: 'Not found.',
  405: 'Method not allowed.',
  408: 'Request timeout.',
  409: 'Conflict.',
  410: 'Gone.',
  412: 'Precondition failed.',
  413: 'Payload too large.',
  415: 'Unsupported media type.',
  429: 'Too many requests.',
  431: 'Request header fields too large.',
  500: 'Internal server error.',
  502: 'Bad gateway.',
  503: 'Service unavailable.',
  504: 'Gateway timeout.',
};

/** The title of an error status. */
export function titleOf(status: number): string {
  return TITLE[status] ?? 'Error.';
}

/** The parts of an error answer. */
export interface Refusal {
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDetails;
}

/**
 * The error answer for a domain error. `challenge` names the schemes that a 401 offers ({@link challengeOf}), by default those of every
 * service.
 */
export function refusalOf(
  { code, message, fields, headers, reason, members }: DomainError,
  challenge = challengeOf({ isBearerEnabled: false }),
): Refusal {
  return {
    headers: { ...(code === ErrorCode.Unauthorized ? { 'WWW-Authenticate': challenge } : {}), ...headers },
    problem: problemDetails(STATUS[code], {
      detail: message,
      ...(fields === undefined ? {} : { errors: fields }),
      ...(reason === undefined ? {} : { reason }),
      ...members,
    }),
  };
}

/** The Problem Details body of a status. Clients read the status, not the title. */
export function problemDetails(
  status: number,
  extra: Pick<ProblemDetails, 'detail' | 'traceId' | 'errors' | 'reason'> & Readonly<Record<string, unknown>> = {},
): ProblemDetails {
  return { type: 'about:blank', title: titleOf(status), status, ...extra };
}
