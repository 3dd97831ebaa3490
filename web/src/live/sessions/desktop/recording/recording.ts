import { store } from '../../../../state/store.js';
import { isAtLimit } from './recording-limits.js';

/** Formats of the file, best first. */
const FORMATS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'] as const;
const FRAMES_PER_SECOND = 15;
const BITS_PER_SECOND = 2_500_000;
/** Time between two pieces of the file, and two looks at its limits, in milliseconds. */
const PIECE_MS = 1000;

/** The reason for which a recording ended. */
export type RecordingEnd = 'user' | 'session' | 'limit' | 'failed';

/** The format in which this browser can record; undefined if it cannot. */
const formatHere = (): string | undefined =>
  'MediaRecorder' in globalThis && 'captureStream' in HTMLCanvasElement.prototype
    ? FORMATS.find((format) => MediaRecorder.isTypeSupported(format))
    : undefined;

export const canRecord = (): boolean => formatHere() !== undefined;

interface RecordingOptions {
  readonly canvas: HTMLCanvasElement;
  /** Draws the picture again: a still one would not be recorded. */
  readonly redraw: () => void;
  /** The recording has ended, with everything that was recorded. */
  readonly onEnd: (file: Blob, why: RecordingEnd) => void;
}

/** A recording of a canvas as a WebM file. */
export class Recording {
  /** Its length so far, in milliseconds. */
  readonly length = store(0, 'stays');
  private readonly startedAt = Date.now();
  private readonly stream: MediaStream;
  private readonly recorder: MediaRecorder;
  private readonly pieces: Blob[] = [];
  private bytes = 0;
  private why: RecordingEnd = 'failed';
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(private readonly options: RecordingOptions) {
    this.stream = options.canvas.captureStream(FRAMES_PER_SECOND);
    this.recorder = new MediaRecorder(this.stream, { mimeType: formatHere(), videoBitsPerSecond: BITS_PER_SECOND });
    this.recorder.addEventListener('dataavailable', ({ data }) => {
      this.pieces.push(data);
      this.bytes += data.size;
    });
    // A recorder that fails stops by itself, after its last piece.
    this.recorder.addEventListener('stop', () => this.finish());
    this.recorder.start(PIECE_MS);
    this.timer = setInterval(() => this.look(), PIECE_MS);
    options.redraw();
  }

  /** Ends it. Only the first call counts. */
  stop(why: RecordingEnd): void {
    if (this.recorder.state === 'inactive') return;
    this.why = why;
    this.recorder.stop();
  }

  private look(): void {
    const milliseconds = Date.now() - this.startedAt;
    this.length.set(milliseconds);
    this.options.redraw();
    if (isAtLimit(milliseconds, this.bytes)) this.stop('limit');
  }

  private finish(): void {
    clearInterval(this.timer);
    for (const track of this.stream.getTracks()) track.stop();
    this.options.onEnd(new Blob(this.pieces, { type: 'video/webm' }), this.why);
  }
}
