import { describe, expect, it } from 'vitest';

import { nextQueued, paceOf, progressOf, type UploadStatus } from './upload-queue.js';

const upload = (status: UploadStatus, sent = 0, size = 100) => ({ status, sent, size });

describe('nextQueued', () => {
  it('takes the first waiting upload, and no more at once than allowed', () => {
    const [running, first, second] = [upload('running'), upload('queued'), upload('queued')];
    expect(nextQueued([running, first, second], 2)).toBe(first);
    expect(nextQueued([running, upload('running'), first], 2)).toBeUndefined();
    expect(nextQueued([upload('done'), upload('failed')], 2)).toBeUndefined();
  });
});

describe('progressOf', () => {
  it('measures progress by bytes, not files', () => {
    expect(progressOf([upload('done', 0, 300), upload('running', 50, 100)])).toBe(0.875);
  });

  it('leaves failed and canceled uploads out of the progress', () => {
    expect(progressOf([upload('running', 50), upload('failed', 10), upload('canceled', 90)])).toBe(0.5);
  });

  it('reports full progress if there is nothing to send', () => {
    expect(progressOf([])).toBe(1);
    expect(progressOf([upload('done', 0, 0)])).toBe(1);
  });
});

describe('paceOf', () => {
  it('tells the rate of an upload and the time that is left', () => {
    expect(paceOf(1_000, 4_000, 1_000)).toEqual({ rate: 1_000, seconds: 3 });
  });

  it('tells no rate at the beginning of an upload', () => {
    expect(paceOf(0, 4_000, 1_000)).toBeNull();
    expect(paceOf(100, 4_000, 100)).toBeNull();
  });
});
