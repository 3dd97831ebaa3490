import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { formatInstant } from '../../../i18n/format.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { type Desktop, pictureQuery } from '../../../api/devices/desktops.js';
import { t } from '../desktop/texts.js';
import css from './DesktopPicture.module.css';

/** The time between two pictures, in milliseconds. */
const PAUSE = 2000;

/** The picture of a desktop. A new one is taken every two seconds while the page is in sight. */
export function DesktopPicture({ desktop }: { readonly desktop: Desktop }): ReactNode {
  const { device, name } = useCurrentDevice();
  const { processId, areRemoteControlPermissionsGranted } = desktop;
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...pictureQuery(device.id, processId),
    // A device that refused is not asked again by itself.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : PAUSE),
    refetchIntervalInBackground: false,
    placeholderData: keepPreviousData,
  });
  const address = useAddressOf(data);

  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className="meta figures">{data === undefined ? t('taking') : t('age', { time: formatInstant(new Date(dataUpdatedAt)) })}</p>
      {data !== undefined && !areRemoteControlPermissionsGranted && <p className="meta">{t('view-only')}</p>}
      <div className={css.frame}>{address !== null && <img className={css.picture} src={address} alt={t('picture', { name })} />}</div>
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
