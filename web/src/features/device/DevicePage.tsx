import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';

import { useSession } from '../../access/session.js';
import { deviceQuery } from '../../api/devices/devices.js';
import { queryClient } from '../../api/queries.js';
import { onDeviceUpdate, showDevices } from '../../live/device-feed.js';
import { invoke, invokeIfLive, onHubBack } from '../../live/hub.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { rememberDevice } from '../../state/recent-devices.js';
import { type CurrentDevice, CurrentDeviceContext } from './current-device.js';
import { nameOf, withPush } from '../../model/devices/device.js';
import css from './DevicePage.module.css';
import { DeviceTabs } from './frame/DeviceTabs.js';
import { IdentityBar } from './frame/IdentityBar.js';
import { devicePermissionsQuery } from '../../api/devices/device-permissions.js';

/** The page of one device: who it is above, and below one of its tabs. */
export function DevicePage({ deviceId }: { readonly deviceId: string }): ReactNode {
  useLiveQuery(deviceId);
  useVisit(deviceId);
  const session = useSession();
  const { data: device, error } = useQuery({ ...deviceQuery(deviceId), throwOnError: false });
  const { data: permissions } = useSuspenseQuery(devicePermissionsQuery(deviceId));
  const current = useMemo<CurrentDevice | null>(
    () =>
      device === undefined
        ? null
        : {
            device,
            name: nameOf(device),
            can: (permission) => permissions.has(permission),
            isOnlyDevice: session.deviceId !== null,
          },
    [device, permissions, session.deviceId],
  );
  const name = current?.name;
  const isAlone = useSearch({ strict: false }).alone !== undefined;
  useEffect(() => {
    if (name !== undefined) rememberDevice(session.user.id, { id: deviceId, name });
  }, [session.user.id, deviceId, name]);
  // A device that was deleted since is gone; one that cannot be read for a moment stays.
  if (current === null || (error !== null && isGone(error))) return <ErrorState error={error} />;
  return (
    <CurrentDeviceContext value={current}>
      <div className={css.page}>
        {!isAlone && (
          <div className={css.head}>
            <IdentityBar />
            <DeviceTabs />
          </div>
        )}
        <Outlet />
      </div>
    </CurrentDeviceContext>
  );
}

const isGone = (error: unknown): boolean => error instanceof Error && 'status' in error && (error.status === 404 || error.status === 403);

/** Keeps the device in the cache of queries as new as the pushes of the hub. */
function useLiveQuery(deviceId: string): void {
  useEffect(() => {
    const { queryKey } = deviceQuery(deviceId);
    const stopShowing = showDevices([deviceId]);
    const stopListening = onDeviceUpdate((pushed) => {
      if (pushed.id === deviceId) queryClient.setQueryData(queryKey, (known) => (known === undefined ? known : withPush(known, pushed)));
    });
    const stopReturning = onHubBack(() => void queryClient.invalidateQueries({ queryKey }));
    return () => {
      stopShowing();
      stopListening();
      stopReturning();
      // Nothing updates it from now on, so that the next visit reads it again.
      void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
    };
  }, [deviceId]);
}

/** Tells the service that the user works on this device, so that its traces cover the visit. A failure changes nothing else. */
function useVisit(deviceId: string): void {
  useEffect(() => {
    const begin = (): void => void invoke('StartDeviceAccessActivity2', { deviceId }).catch(() => undefined);
    begin();
    const stop = onHubBack(begin);
    return () => {
      stop();
      void invokeIfLive('DisposeDeviceAccessActivity');
    };
  }, [deviceId]);
}
