import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Select } from '../../../ui/select/Select.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import css from './DesktopPicker.module.css';
import { chosenDesktop } from './desktops.js';
import { type Desktop, desktopsQuery } from '../../../api/devices/desktops.js';
import { t } from './texts.js';

interface DesktopPickerProps {
  /** The process in the address. */
  readonly process: string | undefined;
  readonly onChoose: (process: string) => void;
  /** Renders the chosen desktop. */
  readonly children: (desktop: Desktop) => ReactNode;
}

/** The desktops of the device to choose from, and below them the chosen one. */
export function DesktopPicker({ process, onChoose, children }: DesktopPickerProps): ReactNode {
  const { device } = useCurrentDevice();
  const { data: desktops, error, refetch, isFetching } = useQuery(desktopsQuery(device.id));
  if (error !== null && desktops === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (desktops === undefined) return <SkeletonList rows={3} />;
  const chosen = chosenDesktop(desktops, process);
  if (chosen === undefined) {
    return (
      <EmptyState
        title={t('no-desktop')}
        actions={
          <Button busy={isFetching} onClick={() => void refetch()}>
            {t('refresh')}
          </Button>
        }
      >
        {t('no-desktop-text')}
      </EmptyState>
    );
  }
  return (
    <>
      <Select
        label={t('choose')}
        className={css.select}
        options={desktops.map((desktop) => ({ value: String(desktop.processId), label: labelOf(desktop) }))}
        value={String(chosen.processId)}
        onValueChange={onChoose}
      />
      {children(chosen)}
    </>
  );
}

const labelOf = ({ username, name }: Desktop): string =>
  username === '' ? t('session-nobody', { name }) : t('session', { user: username, name });
