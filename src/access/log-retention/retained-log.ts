/** The logs that a tenant can keep for a shorter time than the server does, by the member with their days. */
export enum RetainedLog {
  ChangeLog = 'changeLogDays',
  SecurityLog = 'securityLogDays',
  DeviceActivity = 'deviceActivityDays',
  Events = 'eventDays',
}

/** The logs in the order in which they are named. */
export const RETAINED_LOGS: readonly RetainedLog[] = Object.values(RetainedLog);

/**
 * The fewest days that a tenant can choose. They are the time that is left to find out a deed after its author has shortened the retention
 * of the logs that show it: a quarter of a year where rights and settings change, a month for sign-ins and work on devices. Events tell
 * other systems what happens and prove nothing; a day is the time over which webhooks try again.
 */
export const FEWEST_DAYS: Readonly<Record<RetainedLog, number>> = {
  [RetainedLog.ChangeLog]: 90,
  [RetainedLog.SecurityLog]: 30,
  [RetainedLog.DeviceActivity]: 30,
  [RetainedLog.Events]: 1,
};

/** The most days that a tenant can choose where the server keeps a log forever. */
export const MOST_DAYS = 36_500;

/** Days for which a tenant keeps each log; null for as long as the server does. */
export type TenantRetention = Readonly<Record<RetainedLog, number | null>>;

/** The retention of a tenant that never chose. */
export const AS_THE_SERVER: TenantRetention = {
  [RetainedLog.ChangeLog]: null,
  [RetainedLog.SecurityLog]: null,
  [RetainedLog.DeviceActivity]: null,
  [RetainedLog.Events]: null,
};
