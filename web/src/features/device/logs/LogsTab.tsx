import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { SearchChange } from '../../../model/search-params.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { formatBytes, formatRelative } from '../../../i18n/format.js';
import { Button } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { Select } from '../../../ui/select/Select.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { SplitPane } from '../../../ui/split-pane/SplitPane.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState, Forbidden } from '../../../ui/states/ErrorState.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import css from './LogsTab.module.css';
import { LogView } from './LogView.js';
import { type LogFile, type LogGroup, logGroupsQuery } from '../../../api/devices/agent-logs.js';
import { t } from './texts.js';

interface LogsTabProps {
  /** The path of the file in the address; without one the newest of the first group is shown. */
  readonly file?: string;
  /** Filter of its lines. */
  readonly filter: string;
}

/** The part of the address about logs. */
interface LogsAddress {
  readonly file?: string;
  readonly q?: string;
}

/** The logs of the device's agent. */
export function LogsTab({ file, filter }: LogsTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const problem = missingOnDevice('device.logs.read', device.id);
  return (
    <DevicePanel title={t('title')} fill>
      {!can('device.logs.read') ? (
        <Forbidden problem={problem} />
      ) : device.isOnline ? (
        <Logs file={file} filter={filter} />
      ) : (
        <DeviceOffline />
      )}
    </DevicePanel>
  );
}

function Logs({ file, filter }: LogsTabProps): ReactNode {
  const { device } = useCurrentDevice();
  const navigate = useNavigate();
  const isSmall = useMedia(isPhone);
  const { data: groups, error, refetch } = useQuery(logGroupsQuery(device.id));
  if (error !== null && groups === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (groups === undefined) return <SkeletonList columns={[1, 3]} />;

  const files = groups.flatMap(({ logFiles }) => logFiles ?? []);
  if (files.length === 0) return <EmptyState title={t('empty')}>{t('empty-text')}</EmptyState>;
  const shown = file === undefined ? files[0] : files.find(({ fullPath }) => fullPath === file);
  const show = (change: SearchChange<LogsAddress>, replace: boolean): void =>
    void navigate({
      to: '/devices/$deviceId/logs',
      params: { deviceId: device.id },
      search: (now) => change({ file: now.file, q: now.q }),
      replace,
    });
  const open = (fullPath: string): void => show(({ q }) => ({ file: fullPath, q }), false);

  const text =
    shown === undefined ? (
      <EmptyState title={t('gone')} actions={<Button onClick={() => show(() => ({}), true)}>{t('from-start')}</Button>}>
        {t('gone-text')}
      </EmptyState>
    ) : (
      <LogView key={shown.fullPath} file={shown} filter={filter} onFilter={(q) => show((now) => ({ ...now, q }), true)} />
    );
  if (isSmall) {
    return (
      <>
        <Select
          label={t('files')}
          hideLabel
          options={groups.flatMap(({ groupName, logFiles }) =>
            (logFiles ?? []).map(({ fileName, fullPath }) => ({ value: fullPath, label: `${groupName} · ${fileName}` })),
          )}
          value={shown?.fullPath ?? ''}
          onValueChange={open}
        />
        {text}
      </>
    );
  }
  return (
    <SplitPane
      id="logs"
      label={t('files')}
      defaultSize={240}
      start={<LogList groups={groups} current={shown} onOpen={open} />}
      end={text}
    />
  );
}

interface LogListProps {
  readonly groups: readonly LogGroup[];
  readonly current: LogFile | undefined;
  readonly onOpen: (fullPath: string) => void;
}

/** The groups and the files in them, newest first as the agent names them. */
function LogList({ groups, current, onOpen }: LogListProps): ReactNode {
  const now = useNow();
  return (
    <nav className={css.files} aria-label={t('files')}>
      {groups.map(({ groupName, logFiles }) => (
        <section key={groupName}>
          <h2 className={css.group}>{groupName}</h2>
          <ul>
            {(logFiles ?? []).map((file) => (
              <li key={file.fullPath}>
                <button
                  type="button"
                  className={classes(css.file, file === current && css.current)}
                  aria-current={file === current ? 'true' : undefined}
                  title={file.fullPath}
                  onClick={() => onOpen(file.fullPath)}
                >
                  <span className="cut">{file.fileName}</span>
                  <span className="meta">
                    {formatBytes(file.size)} · {formatRelative(file.lastModified, now)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
