import { createInterface } from 'node:readline';
import { LocalPostgres } from '#libs/local-postgres';

/**
 * A service process reduced to its database: starts the server of the folder named by the first argument, reports each
 * event as a line of JSON, and obeys one word a line on its input.
 */
const report = (event: string, details: object = {}): void => {
  process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
};

try {
  const server = await LocalPostgres.start({ dataDirectory: process.argv[2] ?? '', log: { log: () => undefined, warn: () => undefined } });
  const { connection, adopted, firstStart, pid } = server;
  report('started', { connection, adopted, firstStart, pid });
  createInterface({ input: process.stdin }).on('line', (command) => {
    if (command === 'exit') process.exit(0);
    if (command === 'stop') {
      void server.stop().then(() => {
        report('stopped');
        process.exit(0);
      });
    }
  });
} catch (error) {
  report('failed', { name: error instanceof Error ? error.name : '', message: error instanceof Error ? error.message : String(error) });
}
