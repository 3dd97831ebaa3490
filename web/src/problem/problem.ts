/** The body of a refused request (RFC 9457), with the fields that this service adds. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly traceId?: string;
  /** Sentences by field of the request. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Step that must precede a repetition of the request. */
  readonly reason?: 'StepUpRequired' | 'PasswordChangeRequired';
}

/** Status of a request that the browser itself refused, without asking the service: its own words give the reason. */
export const NOT_ASKED = -1;

/** A request that the service refused, or that never reached it (status 0), or that the browser did not make ({@link NOT_ASKED}). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly status: number,
    readonly problem: Problem,
    /** The permission that the operation asks for, if the caller lacked it. */
    readonly missingPermission: string | null = null,
    /** Seconds after which to try again, where the service said so. */
    readonly retryAfter: number | null = null,
    /** Scope at which the permission is missing, as `Device:ID`; null for the whole tenant or the server. */
    readonly missingOn: string | null = null,
    /** Time of the refusal, in milliseconds. */
    readonly refusedAt = Date.now(),
  ) {
    super(problem.detail ?? problem.title ?? `Status ${status}`);
  }

  /** True if the same request may succeed a moment later. A device that did not answer in time (504) was waited for long enough. */
  get isTransient(): boolean {
    return this.status === 0 || (this.status >= 500 && this.status !== 504);
  }
}

/** The error of a failed query or mutation as a problem: network failures get status 0. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  return new ProblemError(0, { title: error instanceof Error ? error.message : String(error) });
}

/** True if a message is a browser's own about a script that it cannot load; each has its own words. */
export const isAboutScript = (message = ''): boolean => /import/i.test(message);

/** Recognizes the refusal of a change whose thing has changed since it was read. */
export const isOutdated = (error: unknown): boolean => problemOf(error).status === 412;

/** Recognizes the refusal of a request for a thing that is gone, or hidden from this caller. */
export const isGone = (error: unknown): boolean => problemOf(error).status === 404;

/**
 * Recognizes the refusal of a request for a thing that is not for this caller: gone, of another tenant, or a device that the caller may not
 * read. Pages show all of them alike, so that they do not tell which ids exist.
 */
export const isNotYours = ({ status, missingPermission, missingOn }: ProblemError): boolean =>
  status === 404 || (missingPermission === 'device.read' && missingOn !== null);
