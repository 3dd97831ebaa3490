import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { BackupError } from '../backup-error.js';
import type { BackupRequest, FinishedBackup } from '../write-backup.js';
import type { Answer, BackupOrder, Report } from './backup-worker.js';

/** The program of the thread, with the ending that this file has: compiled, or as it was written. */
const PROGRAM = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);

/** Most memory of the thread for short-lived objects, and for all others, in MiB. */
const LIMITS = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 64 };

/** A backup that a thread writes. The thread itself rests between two parts. */
export type ThreadedBackup = Required<Omit<BackupRequest, 'connectionName' | 'rest'>>;

/**
 * Writes a backup as `writeBackup` does, in a thread of its own: the rows of a large database pass through so much memory that collecting
 * it would hold up the thread that serves requests.
 * @throws BackupError. No file is left then.
 */
export async function writeBackupInThread({ signal, onTurn, onFinished, ...order }: ThreadedBackup): Promise<FinishedBackup> {
  const worker = new Worker(PROGRAM, { workerData: order satisfies BackupOrder, resourceLimits: LIMITS });
  const send = (answer: Answer): void => worker.postMessage(answer, []);
  const stop = (): void => send({ kind: 'stop' });
  // The thread is told its message only.
  let refusal: unknown;
  const answer = (work: Promise<void>): void => {
    work.then(
      () => send({ kind: 'go on' }),
      (error: unknown) => {
        refusal = error;
        send({ kind: 'fail', message: messageOf(error) });
      },
    );
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await new Promise<FinishedBackup>((resolve, reject) => {
      worker.on('message', (report: Report) => {
        if (report.kind === 'turn') answer(onTurn());
        else if (report.kind === 'complete') answer(onFinished(report.backup));
        else if (report.kind === 'failed') reject(new BackupError(report.message, { cause: refusal }));
        else resolve(report.backup);
      });
      worker.on('error', (error) => reject(new BackupError(`The backup failed: ${messageOf(error)}`, { cause: error })));
      worker.on('exit', () => reject(new BackupError('The thread of the backup ended early.')));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
