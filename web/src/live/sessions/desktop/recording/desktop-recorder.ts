import { noteRecording, noteRecordingEnd } from '../../../../api/devices/recordings.js';
import { saveFile } from '../../../../ui/save-file.js';
import { toast, toastProblem } from '../../../../ui/toast/toasts.js';
import { t } from '../texts.js';
import { canRecord, Recording, type RecordingEnd } from './recording.js';
import { RECORDING_LIMITS } from './recording-limits.js';

interface RecorderOptions {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly canvas: HTMLCanvasElement;
  readonly redraw: () => void;
  /** True while the desktop is there. */
  readonly isOpen: () => boolean;
  /** Id of the present session at the relay. */
  readonly sessionId: () => string;
  readonly onChange: () => void;
}

/** Records a desktop. The service is told, so that the recording is in the activity of the device. */
export class DesktopRecorder {
  /** The recording that runs. */
  recording: Recording | null = null;
  /** True once something was recorded. */
  hasRecorded = false;
  private isStarting = false;
  private notedSession = '';

  constructor(private readonly options: RecorderOptions) {}

  /** Starts a recording, or ends and saves the one that runs. */
  async toggle(): Promise<void> {
    if (this.recording !== null) return this.recording.stop('user');
    if (!canRecord()) return void toastProblem(t('recording-unsupported'));
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      await this.note();
      // The session may have ended by then, and the service has noted the end of its recording.
      if (this.options.isOpen()) this.start();
    } catch (error) {
      toastProblem(error);
    } finally {
      this.isStarting = false;
    }
  }

  /** The desktop has come back, with another session at the relay. */
  async resumed(): Promise<void> {
    if (this.recording === null || this.notedSession === this.options.sessionId()) return;
    try {
      await this.note();
    } catch (error) {
      // What nobody can see in the activity is not recorded.
      toastProblem(error);
      this.stop('failed');
    }
  }

  stop(why: RecordingEnd): void {
    this.recording?.stop(why);
  }

  private async note(): Promise<void> {
    this.notedSession = this.options.sessionId();
    await noteRecording(this.options.deviceId, this.notedSession);
  }

  private start(): void {
    const { deviceName, canvas, redraw, onChange } = this.options;
    const name = `${deviceName} ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.webm`;
    this.recording = new Recording({ canvas, redraw, onEnd: (file, why) => this.ended(file, name, why) });
    this.hasRecorded = true;
    onChange();
  }

  private ended(file: Blob, name: string, why: RecordingEnd): void {
    this.recording = null;
    this.options.onChange();
    // With the session, the service ends its record by itself.
    if (why !== 'session') noteRecordingEnd(this.options.deviceId, this.notedSession).catch(toastProblem);
    if (file.size === 0) return void toastProblem(t('recording-empty'));
    const save = (): void => saveFile(file, name);
    save();
    const again = { label: t('save-again'), run: save };
    // Browsers may hold back a download that the user did not ask for: the way to it stays until it is closed.
    if (why === 'user') toast(t('recorded'), { action: again });
    else toastProblem(t(`recorded-${why}`, { hours: RECORDING_LIMITS.hours, gigabytes: RECORDING_LIMITS.gigabytes }), again);
  }
}
