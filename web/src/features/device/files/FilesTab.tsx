import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';

import { missingOnDevice } from '../../../problem/missing.js';
import { ErrorState, Forbidden } from '../../../ui/states/ErrorState.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { useCurrentDevice } from '../current-device.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { FileBrowser } from './FileBrowser.js';
import { normalized } from './paths.js';
import { drivesQuery } from '../../../api/devices/files.js';
import type { Sort } from './sorts.js';
import { t } from './texts.js';

/** Most who look for a file open none. */
const FileEditor = lazy(async () => ({ default: (await import('./editor/FileEditor.js')).FileEditor }));

interface FilesTabProps {
  /** The folder in the address; without one the first drive is shown. */
  readonly path?: string;
  readonly sort: Sort;
  readonly showHidden: boolean;
  /** Name of the file in the folder that is open; without one the folder is shown. */
  readonly file?: string;
}

/** The file system of the device. */
export function FilesTab({ file, ...view }: FilesTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const navigate = useNavigate();
  const { path = '/', sort, showHidden } = view;
  const toFolder = (): void =>
    void navigate({
      to: '/devices/$deviceId/files',
      params: { deviceId: device.id },
      search: { path, sort, hidden: showHidden || undefined },
    });
  const problem = missingOnDevice('device.file-system.read', device.id);
  return (
    <DevicePanel title={t('title')} fill>
      {!can('device.file-system.read') ? (
        <Forbidden problem={problem} />
      ) : file !== undefined ? (
        // Also while the device is offline: what was typed must not be lost.
        <Suspense fallback={<SkeletonList />}>
          <FileEditor key={`${path}\0${file}`} directory={path} name={file} onClose={toFolder} />
        </Suspense>
      ) : device.isOnline ? (
        <Drives {...view} />
      ) : (
        <DeviceOffline />
      )}
    </DevicePanel>
  );
}

function Drives({ path, ...view }: Omit<FilesTabProps, 'file'>): ReactNode {
  const { device } = useCurrentDevice();
  const { data: drives, error, refetch } = useQuery(drivesQuery(device.id));
  if (error !== null && drives === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (drives === undefined) return <SkeletonList />;
  return <FileBrowser drives={drives} path={normalized(path ?? drives.at(0)?.fullPath ?? '/')} {...view} />;
}
