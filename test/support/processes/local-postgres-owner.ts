import { createInterface } from 'node:readline';
import { LocalPostgres } from '#libs/local-postgres';

/**
 * A service process reduced to its database. It starts the server of the folder in the first argument, with the
 * binaries of the package folder in the second one, as the account with the uid in the third one if given. It reports
 * each event as a line of JSON, and obeys commands of one word per line.
 */
const report = (event: string, details: object = {}): void => {
  process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
};

try {
  const [, , dataDirectory = '', packageDirectory = '', uid] = process.argv;
  if (uid !== undefined) become(Number(uid));
  const log = { log: (): void => undefined, warn: (): void => undefined };
  const server = await LocalPostgres.start({ dataDirectory, log, packageDirectory });
  const { connection, adopted, firstStart, pid, notices } = server;
  report('started', { connection, adopted, firstStart, pid, notices });
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

/** Changes the account after the program was loaded, because it may be in a folder that the account cannot enter. */
function become(uid: number): void {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}
