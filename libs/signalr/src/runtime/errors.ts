/** An error whose text reaches the caller of the hub method that throws it. The text of other errors stays on the server. */
export class HubError extends Error {
  override readonly name: string = 'HubError';
}

/** The connection that a call is for has ended, or never was. */
export class ConnectionGoneError extends Error {
  override readonly name = 'ConnectionGoneError';

  constructor(connectionId: string) {
    super(`Connection with ID '${connectionId}' does not exist.`);
  }
}

/** The connection ended before an answer or a stream was complete. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';

  constructor(reason: string) {
    super(`The connection ended: ${reason}`);
  }
}

/** The client did not answer in time. */
export class ClientResultTimeoutError extends Error {
  override readonly name = 'ClientResultTimeoutError';

  constructor(method: string, timeoutMs: number) {
    super(`The client did not answer '${method}' within ${timeoutMs} ms.`);
  }
}

/** The client answered with an error. */
export class ClientResultError extends Error {
  override readonly name = 'ClientResultError';
}

/** The client has failed the stream that it was sending. The text is the client's. */
export class ClientStreamError extends HubError {
  override readonly name = 'ClientStreamError';
}

/** True if an error is of this class, or was caused by one that is. */
export function isBecauseOf(error: unknown, kind: new (text: string) => Error): boolean {
  // Errors may be causes of each other.
  const seen = new Set<Error>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); { cause } = cause) {
    if (cause instanceof kind) return true;
    seen.add(cause);
  }
  return false;
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    return 'an error without a text';
  }
}
