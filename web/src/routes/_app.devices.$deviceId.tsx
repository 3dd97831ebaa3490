import { createFileRoute } from '@tanstack/react-router';

import { deviceQuery } from '../api/devices/devices.js';
import { DevicePage } from '../features/device/DevicePage.js';
import { DevicePageSkeleton } from '../features/device/frame/DevicePageSkeleton.js';
import { devicePermissionsQuery } from '../api/devices/device-permissions.js';

export const Route = createFileRoute('/_app/devices/$deviceId')({
  loader: async ({ context: { queryClient }, params: { deviceId } }) => {
    await Promise.all([queryClient.ensureQueryData(deviceQuery(deviceId)), queryClient.ensureQueryData(devicePermissionsQuery(deviceId))]);
  },
  pendingComponent: DevicePageSkeleton,
  component: function Device() {
    const { deviceId } = Route.useParams();
    return <DevicePage key={deviceId} deviceId={deviceId} />;
  },
});
