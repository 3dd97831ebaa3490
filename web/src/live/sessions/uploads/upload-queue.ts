export type UploadStatus = 'queued' | 'running' | 'done' | 'failed' | 'canceled';

interface Queued {
  readonly status: UploadStatus;
  readonly size: number;
  readonly sent: number;
}

/** The next one to start, while fewer than `atOnce` are running. */
export function nextQueued<T extends Queued>(uploads: readonly T[], atOnce: number): T | undefined {
  const running = uploads.filter(({ status }) => status === 'running').length;
  return running < atOnce ? uploads.find(({ status }) => status === 'queued') : undefined;
}

/** Share of all bytes that has left, from 0 to 1. Failed and canceled uploads do not count. */
export function progressOf(uploads: readonly Queued[]): number {
  const counted = uploads.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const total = counted.reduce((sum, { size }) => sum + size, 0);
  const sent = counted.reduce((sum, { sent: bytes, size, status }) => sum + (status === 'done' ? size : bytes), 0);
  return total === 0 ? 1 : sent / total;
}

/** Bytes a second, and the seconds that are left; null before there is anything to tell from. */
export function paceOf(sent: number, size: number, milliseconds: number): { readonly rate: number; readonly seconds: number } | null {
  if (sent <= 0 || milliseconds < 500) return null;
  const rate = (sent / milliseconds) * 1000;
  return { rate, seconds: Math.ceil((size - sent) / rate) };
}
