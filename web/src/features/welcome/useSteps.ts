import { useQuery } from '@tanstack/react-query';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { devicesQuery } from '../../api/devices/device-list.js';
import { type Progress, type Step, stepsFor } from './steps.js';

interface Steps {
  /** Those that the user can take. */
  readonly steps: readonly Step[];
  /** Those that are done: here, or by another way. */
  readonly doneIn: (progress: Progress) => readonly Step[];
  /** It is not known yet if there are devices. */
  readonly isPending: boolean;
}

/** The steps of the first run for this user, and which of them are done. */
export function useSteps(): Steps {
  const { tenant, user } = useSession();
  const { data: devices, isPending } = useQuery(devicesQuery({}, 0, 1));
  const isDone: Readonly<Record<Step, boolean>> = {
    tenant: tenant.name !== null,
    device: devices?.anyDevicesForUser === true,
    security: user.hasPasskey || user.isTwoFactorEnabled,
    colleague: false,
  };
  const [mayReadSettings, mayWriteSettings] = [useCan('tenant.settings.read'), useCan('tenant.settings.write')];
  const steps = stepsFor({
    mayNameTenant: mayReadSettings && mayWriteSettings,
    mayInstall: useCan('agent.install'),
    mayInvite: useCan('tenant.users.write'),
  });
  return { steps, doneIn: ({ done }) => steps.filter((step) => isDone[step] || done.includes(step)), isPending };
}
