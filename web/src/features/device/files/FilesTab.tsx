import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

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

interface FilesTabProps {
  /** The folder in the address; without one the first drive is shown. */
  readonly path?: string;
  readonly sort: Sort;
}

/** The file system of the device. */
export function FilesTab({ path, sort }: FilesTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const problem = missingOnDevice('device.file-system.read', device.id);
  return (
    <DevicePanel title={t('title')} fill>
      {!can('device.file-system.read') ? (
        <Forbidden problem={problem} />
      ) : device.isOnline ? (
        <Drives path={path} sort={sort} />
      ) : (
        <DeviceOffline />
      )}
    </DevicePanel>
  );
}

function Drives({ path, sort }: FilesTabProps): ReactNode {
  const { device } = useCurrentDevice();
  const { data: drives, error, refetch } = useQuery(drivesQuery(device.id));
  if (error !== null && drives === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (drives === undefined) return <SkeletonList />;
  return <FileBrowser drives={drives} path={normalized(path ?? drives.at(0)?.fullPath ?? '/')} sort={sort} />;
}
