import { messageOf } from '../../platform/common/errors/errors.js';
import { fault, type Area, type Finding } from './finding.js';

/** A check of one part of the installation. */
export interface Check {
  readonly area: Area;
  /** Its subject, for the message when it fails: "the mail server". */
  readonly subject: string;
  /** Time-out in milliseconds. */
  readonly limitMs: number;
  /** Gathers the facts and judges them. The signal ends at the time-out. */
  readonly run: (signal: AbortSignal) => Promise<readonly Finding[]> | readonly Finding[];
}

/** The findings of a check. A check that fails or takes too long is a finding itself. */
export async function findingsOf({ area, subject, limitMs, run }: Check): Promise<readonly Finding[]> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      resolve([incomplete(area, `The check of ${subject} took longer than ${limitMs / 1000} s.`)]);
    }, limitMs);
  });
  try {
    return await Promise.race([Promise.resolve(run(limit.signal)), late]);
  } catch (error) {
    return [incomplete(area, `The check of ${subject} failed: ${messageOf(error)}`)];
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

const incomplete = (area: Area, what: string): Finding => ({ ...fault('check-incomplete', what), area });
