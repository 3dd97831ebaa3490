import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { missingOnDevice } from '../../../problem/missing.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DesktopPicker } from '../desktop/DesktopPicker.js';
import { t } from '../desktop/texts.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { DesktopPicture } from './DesktopPicture.js';

interface PreviewTabProps {
  /** The process of the desktop in the address. */
  readonly process?: string;
}

/** A picture of a desktop of the device, taken again and again. */
export function PreviewTab({ process }: PreviewTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const navigate = useNavigate();
  const problem = missingOnDevice('device.desktop-preview.read', device.id);
  const choose = (chosen: string): void =>
    void navigate({ to: '/devices/$deviceId/preview', params: { deviceId: device.id }, search: { process: chosen }, replace: true });
  return (
    <DevicePanel title={t('preview')} fill>
      {!can('device.desktop-preview.read') ? (
        <Forbidden problem={problem} />
      ) : device.isOnline ? (
        <DesktopPicker process={process} onChoose={choose}>
          {(desktop) => <DesktopPicture key={desktop.processId} desktop={desktop} />}
        </DesktopPicker>
      ) : (
        <DeviceOffline />
      )}
    </DevicePanel>
  );
}
