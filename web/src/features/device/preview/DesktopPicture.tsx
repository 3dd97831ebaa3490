import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { api } from '../../../api/client.js';
import { formatInstant } from '../../../i18n/format.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import type { Desktop } from '../../../api/desktops.js';
import { t } from '../desktop/texts.js';
import css from './DesktopPicture.module.css';

/** The time between two pictures, in milliseconds. */
const PAUSE = 2000;

/** The picture of a desktop. A new one is taken every two seconds while the page is in sight. */
export function DesktopPicture({ desktop }: { readonly desktop: Desktop }): ReactNode {
  const { device, name } = useCurrentDevice();
  const { processId, areRemoteControlPermissionsGranted } = desktop;
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['desktop-preview', device.id, processId],
    async queryFn({ signal }): Promise<Blob> {
      const path = { deviceId: device.id, targetProcessId: processId };
      const answer = await api.GET('/api/v1/desktop-preview/{deviceId}/{targetProcessId}', { params: { path }, parseAs: 'blob', signal });
      return answer.data as unknown as Blob;
    },
    // A device that refused is not asked again by itself.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : PAUSE),
    refetchIntervalInBackground: false,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Pictures of other people's desktops do not stay in memory.
    gcTime: 0,
  });
  const address = useAddressOf(data);

  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {!areRemoteControlPermissionsGranted && <Banner look="warn">{t('not-shown')}</Banner>}
      <p className="meta figures">{data === undefined ? t('taking') : t('age', { time: formatInstant(new Date(dataUpdatedAt)) })}</p>
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
