import { type ReactNode, useSyncExternalStore } from 'react';

import type { DesktopRecorder } from '../../../live/sessions/desktop/recording/desktop-recorder.js';
import type { Recording } from '../../../live/sessions/desktop/recording/recording.js';
import { clockOf } from '../../../live/sessions/desktop/recording/recording-limits.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { Button } from '../../../ui/button/Button.js';
import css from './RecordingMark.module.css';

interface RecordingMarkProps {
  readonly recorder: DesktopRecorder;
  readonly recording: Recording;
}

/** A red dot and the length of the recording that runs. A click ends it. */
export function RecordingMark({ recorder, recording }: RecordingMarkProps): ReactNode {
  const time = clockOf(useSyncExternalStore(recording.length.subscribe, recording.length.get));
  return (
    <Button look="quiet" title={t('record-stop')} onClick={() => void recorder.toggle()}>
      <span className={css.dot} data-dot aria-hidden />
      <span className="visually-hidden">{t('record-stop')}</span>
      <span className={css.time}>{time}</span>
    </Button>
  );
}
