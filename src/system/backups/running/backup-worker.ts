import { parentPort, workerData } from 'node:worker_threads';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { writeBackup, type BackupRequest, type FinishedBackup } from '../write-backup.js';
import { restOf } from './rests.js';

/* The program of the thread that writes a backup (`backup-thread.ts`). */

/** The backup that the thread writes. */
export type BackupOrder = Pick<BackupRequest, 'database' | 'dataPath' | 'file' | 'recipients'>;

/** A report of the thread. After `turn` and `complete` it waits for an answer; after the others it ends. */
export type Report =
  | { readonly kind: 'turn' }
  | { readonly kind: 'complete' | 'done'; readonly backup: FinishedBackup }
  | { readonly kind: 'failed'; readonly message: string };

/** An answer to a report, or the order to stop. */
export type Answer = { readonly kind: 'go on' | 'stop' } | { readonly kind: 'fail'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('This program runs in a thread of the service.');
const stopped = new AbortController();
let waiting: { resolve(): void; reject(error: Error): void } | undefined;

port.on('message', (answer: Answer) => {
  if (answer.kind === 'stop') stopped.abort();
  else if (answer.kind === 'fail') waiting?.reject(new Error(answer.message));
  else waiting?.resolve();
});

const report = (content: Report): void => port.postMessage(content, []);

const answered = (content: Report): Promise<void> =>
  new Promise((resolve, reject) => {
    waiting = { resolve, reject };
    report(content);
  });

try {
  const backup = await writeBackup({
    ...(workerData as BackupOrder),
    signal: stopped.signal,
    onTurn: () => answered({ kind: 'turn' }),
    onFinished: (finished) => answered({ kind: 'complete', backup: finished }),
    rest: restOf(stopped.signal),
  });
  report({ kind: 'done', backup });
} catch (error) {
  report({ kind: 'failed', message: messageOf(error) });
}
port.close();
