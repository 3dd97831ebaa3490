import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** First port and number of those below the range from which systems assign ports. */
const RANGE = { first: 20_000, count: 10_000 };

/** A free port of 127.0.0.1 that the system gives to no other program while its server is down for a moment. */
export async function keptPort(): Promise<number> {
  for (;;) {
    const port = RANGE.first + randomInt(RANGE.count);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
