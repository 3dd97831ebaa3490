import type { IncomingMessage } from 'node:http';

import type * as express from 'express';

type Read = IncomingMessage & Pick<express.Request, 'readAt'>;

/**
 * Returns a function that notes when a request was read: now, or earlier. `arrivedSince` is the earliest time at which what is read now can have arrived, by
 * the monotonic clock in milliseconds. Of a request that another node passed on, the time at which that node read it stays.
 */
export function noteReading(arrivedSince: () => number): (request: express.Request) => void {
  return (request) => {
    request.readAt = Math.min(request.readAt ?? Infinity, arrivedSince());
  };
}

/** Sets the time at which a request was read. */
export function setReadAt(request: IncomingMessage, readAt: number): void {
  (request as Read).readAt = readAt;
}

/** The time at which a request was read; undefined where nobody has noted it. */
export function readAtOf(request: IncomingMessage): number | undefined {
  return (request as Read).readAt;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The time at which it was read, by the monotonic clock in milliseconds: at the first node that it has reached. */
    readAt?: number;
  }
}
