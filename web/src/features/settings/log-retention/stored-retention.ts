import { readLogRetention, saveLogRetention } from '../../../api/tenants/log-retention.js';
import type { Editable } from '../../../ui/edit/save-over.js';
import { daysIn, type RetentionField, retentionIn } from './retention-form.js';

/** The retention of the tenant, as a form changes it. */
export const LOG_RETENTION: Editable<RetentionField> = {
  read: async () => retentionIn(await readLogRetention()),
  save: async ({ changeLogDays, securityLogDays, deviceActivityDays, eventDays }, tag) =>
    retentionIn(
      await saveLogRetention(
        {
          changeLogDays: daysIn(changeLogDays),
          securityLogDays: daysIn(securityLogDays),
          deviceActivityDays: daysIn(deviceActivityDays),
          eventDays: daysIn(eventDays),
        },
        tag,
      ),
    ),
};
