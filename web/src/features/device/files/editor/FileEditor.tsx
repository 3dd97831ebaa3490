import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide';
import { type ReactNode, useState } from 'react';

import { downloadAddress } from '../../../../api/devices/files.js';
import { missingOnDevice } from '../../../../problem/missing.js';
import { Button, IconButton } from '../../../../ui/button/Button.js';
import { DownloadButton } from '../../../../parts/download/DownloadButton.js';
import { SkeletonList } from '../../../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../../../ui/states/EmptyState.js';
import { ErrorState, Forbidden } from '../../../../ui/states/ErrorState.js';
import { toastProblem } from '../../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../../current-device.js';
import { DeviceOffline } from '../../frame/DeviceOffline.js';
import { joined } from '../paths.js';
import css from './FileEditor.module.css';
import { type Place, textQuery } from './text-file.js';
import { TextEditor } from './TextEditor.js';
import { t } from './texts.js';

interface FileEditorProps {
  readonly directory: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** A text file of the device, to read and to edit. What is no text, or too large, is said to be so. */
export function FileEditor({ directory, name, onClose }: FileEditorProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const place: Place = { deviceId: device.id, directory, name };
  const mayRead = can('device.file-system.transfer-download');
  const query = useQuery({ ...textQuery(place), enabled: mayRead && device.isOnline });
  const { data, error, refetch } = query;
  const [reading, setReading] = useState(0);
  const reload = (): Promise<void> =>
    refetch({ throwOnError: true }).then(
      () => setReading((count) => count + 1),
      (problem: unknown) => void toastProblem(problem),
    );
  const address = downloadAddress(device.id, joined(directory, name));
  const close = <IconButton icon={ArrowLeft} label={t('back')} onClick={onClose} />;

  if (data?.kind === 'text')
    return <TextEditor key={reading} place={place} file={data} address={address} close={close} onReload={reload} />;
  return (
    <div className={css.editor}>
      <header className={css.head}>
        {close}
        <h2 className={css.name}>{name}</h2>
      </header>
      {!mayRead ? (
        <Forbidden problem={missingOnDevice('device.file-system.transfer-download', device.id)} />
      ) : data !== undefined ? (
        <EmptyState
          title={t(`${data.kind}-title`, { name })}
          actions={
            data.kind === 'missing' ? (
              <Button onClick={onClose}>{t('back')}</Button>
            ) : (
              <DownloadButton address={address} name={name}>
                {t('download')}
              </DownloadButton>
            )
          }
        >
          {t(`${data.kind}-text`)}
        </EmptyState>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : device.isOnline ? (
        <SkeletonList />
      ) : (
        <DeviceOffline />
      )}
    </div>
  );
}
