/** Thrown by a hub method: its text reaches the caller. The text of any other error stays on the server. */
export class HubError extends Error {
  override readonly name: string = 'HubError';
}

/** The connection that a call was meant for is gone. */
export class ConnectionGoneError extends Error {
  override readonly name = 'ConnectionGoneError';

  constructor(connectionId: string) {
    super(`Connection with ID '${connectionId}' does not exist.`);
  }
}

/** The connection ended while something was still expected from it. */
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

/** The text of something thrown, whatever it is. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
