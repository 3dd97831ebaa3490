/** A backup or a restore was refused, or failed. The message tells the operator why, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
