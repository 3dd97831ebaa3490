import { useVirtualizer } from '@tanstack/react-virtual';
import { Copy, RotateCw } from 'lucide';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { IconButton } from '../../../ui/button/Button.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { SearchField } from '../../../ui/field/SearchField.js';
import { DownloadButton } from '../../../parts/download/DownloadButton.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { Switch } from '../../../ui/switch/Switch.js';
import { useCurrentDevice } from '../current-device.js';
import { matching } from './log-text.js';
import css from './LogView.module.css';
import { logAddress, type LogFile } from '../../../api/devices/agent-logs.js';
import { t } from './texts.js';
import { useLogText } from './useLogText.js';

const LINE_HEIGHT = 18;
/** So near to the end, in pixels, the reader is at the end. */
const NEAR = 32;

interface LogViewProps {
  readonly file: LogFile;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** The text of a log file. */
export function LogView({ file, filter, onFilter }: LogViewProps): ReactNode {
  const { device } = useCurrentDevice();
  // Each read takes the whole file from the device: nothing is read again unless the user asks for it.
  const [isFollowed, setFollowed] = useState(false);
  const [log, readAgain] = useLogText(device.id, file.fullPath, isFollowed);
  const lines = useMemo(() => matching(log.lines, filter), [log.lines, filter]);

  const copy = (): void => void copyText(lines.join('\n'), t('copied'));
  return (
    <div className={css.view}>
      <div className={css.tools}>
        <SearchField label={t('filter')} value={filter} onSearch={onFilter} />
        <span className="meta figures" role="status">
          {log.isReading && log.lines.length === 0
            ? t('reading')
            : filter === ''
              ? t('lines', { count: lines.length })
              : t('lines-of', { shown: lines.length, total: log.lines.length })}
        </span>
        <span className="grow" />
        <Switch label={t('follow')} checked={isFollowed} onCheckedChange={setFollowed} />
        <IconButton icon={RotateCw} label={t('read')} disabled={log.isReading} onClick={readAgain} />
        <IconButton icon={Copy} label={t('copy')} disabled={lines.length === 0} onClick={copy} />
        <DownloadButton address={logAddress(device.id, file.fullPath)} name={file.fileName}>
          {t('download')}
        </DownloadButton>
      </div>
      {log.dropped > 0 && <Banner>{t('dropped', { count: log.dropped })}</Banner>}
      {log.error !== null && log.lines.length === 0 ? (
        <ErrorState error={log.error} onRetry={readAgain} />
      ) : lines.length > 0 ? (
        <Lines name={file.fileName} lines={lines} isFollowed={isFollowed} onFollow={setFollowed} />
      ) : log.isReading ? null : filter === '' ? (
        <EmptyState title={t('file-empty')} />
      ) : (
        <EmptyFiltered total={log.lines.length} onClear={() => onFilter('')} />
      )}
    </div>
  );
}

interface LinesProps {
  readonly name: string;
  readonly lines: readonly string[];
  readonly isFollowed: boolean;
  readonly onFollow: (isFollowed: boolean) => void;
}

/** The lines that are in sight. Scrolling up stops following the end. */
function Lines({ name, lines, isFollowed, onFollow }: LinesProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (isFollowed) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [virtual, lines, isFollowed]);

  const onScroll = (): void => {
    if (box.current === null) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    const isUp = scrollTop < top.current;
    top.current = scrollTop;
    if (isFollowed && isUp && scrollHeight - clientHeight - scrollTop > NEAR) onFollow(false);
  };
  return (
    // The keyboard must reach an element that scrolls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className={css.text} role="region" aria-label={t('text', { name })} tabIndex={0} onScroll={onScroll}>
      <div className={css.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={css.line}
            style={{ transform: `translateY(${start}px)` }}
          >
            {lines[index]}
          </div>
        ))}
      </div>
    </div>
  );
}
