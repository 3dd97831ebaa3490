import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { type Desktop, pictureQuery } from '../../../api/devices/desktops.js';
import { formatInstant } from '../../../i18n/format.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Desktops.module.css';

/** The time between two pictures, in milliseconds: of one desktop, and of each of several. */
const PAUSE = { alone: 2000, among: 5000 } as const;

interface DesktopPictureProps {
  readonly desktop: Desktop;
  /** Name of the desktop. */
  readonly label: string;
  readonly isAlone: boolean;
}

/** Preview of a desktop. A new picture is taken every few seconds while the page is in sight. */
export function DesktopPicture({ desktop, label, isAlone }: DesktopPictureProps): ReactNode {
  const { device } = useCurrentDevice();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...pictureQuery(device.id, desktop.processId),
    // A device that refused is not asked again by itself.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : PAUSE[isAlone ? 'alone' : 'among']),
    refetchIntervalInBackground: false,
    placeholderData: keepPreviousData,
  });
  const address = useAddressOf(data);
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className={css.picture}>
        {address !== null && (
          <img
            src={address}
            alt={t('picture', { name: label })}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
          />
        )}
      </div>
      <p className="meta figures">
        {data === undefined ? t('taking') : t('age', { time: formatInstant(new Date(dataUpdatedAt)) })}
        {size !== null && ` · ${t('pixels', { width: String(size.width), height: String(size.height) })}`}
      </p>
    </>
  );
}

/** An address under which the page finds a picture, for as long as that is shown. */
function useAddressOf(picture: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (picture === undefined) return undefined;
    const own = URL.createObjectURL(picture);
    setAddress(own);
    return () => URL.revokeObjectURL(own);
  }, [picture]);
  return address;
}
