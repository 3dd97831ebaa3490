import { useCallback, useEffect, useState } from 'react';

import { LogText } from './log-text.js';
import { readLog } from '../../../api/devices/agent-logs.js';

/** The page is drawn this often at most while a file arrives, in milliseconds. */
const STEP = 100;
/** A file that is followed is read again after this time, in milliseconds. */
const PAUSE = 15_000;
/** Reading takes a tenth of the time at most: the pause after a long read is longer. */
const PAUSES_OF_READ = 9;

interface ReadLog {
  readonly lines: readonly string[];
  readonly dropped: number;
  readonly isReading: boolean;
  /** Duration of the last read, in milliseconds. */
  readonly took: number;
  readonly error: unknown;
}

const NOTHING: ReadLog = { lines: [], dropped: 0, isReading: true, took: 0, error: null };

/** The text of a log file, read once or again and again. Use it in a component that has the file's path as its key. */
export function useLogText(deviceId: string, filePath: string, isFollowed: boolean): readonly [log: ReadLog, readAgain: () => void] {
  const [log, setLog] = useState(NOTHING);
  const [reads, setReads] = useState(0);
  const readAgain = useCallback(() => setReads((count) => count + 1), []);

  useEffect(() => {
    const leaving = new AbortController();
    const begun = performance.now();
    const text = new LogText();
    let shownAt = 0;
    setLog((known) => ({ ...known, isReading: true }));
    readLog(deviceId, filePath, leaving.signal, (piece) => {
      text.push(piece);
      // The first time, lines are shown as they arrive. Later they take the place of the earlier ones at the end.
      if (reads > 0 || performance.now() - shownAt < STEP) return;
      shownAt = performance.now();
      setLog((known) => ({ ...known, lines: text.lines, dropped: text.dropped }));
    }).then(
      () => setLog({ lines: text.lines, dropped: text.dropped, isReading: false, took: performance.now() - begun, error: null }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setLog((known) => ({ ...known, isReading: false, took: performance.now() - begun, error }));
      },
    );
    return () => leaving.abort();
  }, [deviceId, filePath, reads]);

  const { isReading, took } = log;
  useEffect(() => {
    if (!isFollowed || isReading) return undefined;
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible') readAgain();
      },
      Math.max(PAUSE, took * PAUSES_OF_READ),
    );
    return () => clearInterval(timer);
  }, [isFollowed, isReading, took, readAgain]);

  return [log, readAgain];
}
