import { FEWEST_DAYS, MOST_DAYS, RetainedLog, type TenantRetention } from '../../access/log-retention/retained-log.js';
import { Int, Nested } from '../../platform/http/binding/fields.js';

const DAYS: Readonly<Record<RetainedLog, string>> = {
  [RetainedLog.ChangeLog]: 'Days for which entries of the change log are kept',
  [RetainedLog.SecurityLog]: 'Days for which entries of the security log are kept',
  [RetainedLog.DeviceActivity]: 'Days for which records of work on devices are kept',
  [RetainedLog.Events]: 'Days for which events are kept',
};
const EXAMPLES: Readonly<Record<RetainedLog, number>> = {
  [RetainedLog.ChangeLog]: 365,
  [RetainedLog.SecurityLog]: 90,
  [RetainedLog.DeviceActivity]: 180,
  [RetainedLog.Events]: 3,
};

const own = (log: RetainedLog): PropertyDecorator =>
  Int(`${DAYS[log]}, at least ${FEWEST_DAYS[log]} and no more than the server's; null for as long as the server does.`, {
    nullable: true,
    min: FEWEST_DAYS[log],
    max: MOST_DAYS,
    example: EXAMPLES[log],
  });
const stored = (log: RetainedLog): PropertyDecorator =>
  Int(`${DAYS[log]}; null for as long as the server does. If it is more than the server's, the server's counts.`, {
    nullable: true,
    example: EXAMPLES[log],
  });
const servers = (log: RetainedLog): PropertyDecorator => Int(`${DAYS[log]}; null for ever.`, { nullable: true, example: 365 });
const fewest = (log: RetainedLog): PropertyDecorator => Int(`${DAYS[log]}.`, { example: FEWEST_DAYS[log] });

export class LogRetentionRequestDto implements TenantRetention {
  @own(RetainedLog.ChangeLog) changeLogDays: number | null;
  @own(RetainedLog.SecurityLog) securityLogDays: number | null;
  @own(RetainedLog.DeviceActivity) deviceActivityDays: number | null;
  @own(RetainedLog.Events) eventDays: number | null;
}

export class ServerLogRetentionDto implements TenantRetention {
  @servers(RetainedLog.ChangeLog) changeLogDays: number | null;
  @servers(RetainedLog.SecurityLog) securityLogDays: number | null;
  @servers(RetainedLog.DeviceActivity) deviceActivityDays: number | null;
  @servers(RetainedLog.Events) eventDays: number | null;
}

export class FewestLogRetentionDto implements Record<RetainedLog, number> {
  @fewest(RetainedLog.ChangeLog) changeLogDays: number;
  @fewest(RetainedLog.SecurityLog) securityLogDays: number;
  @fewest(RetainedLog.DeviceActivity) deviceActivityDays: number;
  @fewest(RetainedLog.Events) eventDays: number;
}

export class LogRetentionDto implements TenantRetention {
  @stored(RetainedLog.ChangeLog) changeLogDays: number | null;
  @stored(RetainedLog.SecurityLog) securityLogDays: number | null;
  @stored(RetainedLog.DeviceActivity) deviceActivityDays: number | null;
  @stored(RetainedLog.Events) eventDays: number | null;
  @Nested('The most: days for which the server keeps each log.', () => ServerLogRetentionDto) server: ServerLogRetentionDto;
  @Nested('The fewest days that a tenant can choose.', () => FewestLogRetentionDto) fewest: FewestLogRetentionDto;
}
