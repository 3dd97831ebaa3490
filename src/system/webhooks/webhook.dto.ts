import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Guid, Instant, Int, ListOf, Nested, PageSize, Text, TextList } from '../../platform/http/binding/fields.js';
import { WebhookPause } from './webhook.entity.js';

/** Most webhooks of a tenant. */
export const MAXIMUM_WEBHOOKS = 20;
/** Longest address, in characters. */
const MAXIMUM_URL = 2_000;

/** State of a delivery. */
export enum WebhookDeliveryState {
  Waiting = 'Waiting',
  Delivered = 'Delivered',
  Failed = 'Failed',
}

const URL_TEXT = 'Address that events are sent to by POST: https, of the public internet.';
const URL_EXAMPLE = 'https://hooks.contoso.example/device-management';
const KINDS_TEXT = 'Kinds of events that are sent; empty for all.';
const KINDS_EXAMPLE = ['device.online', 'device.offline'];

const PAUSE = namesOf('WebhookPause', WebhookPause, {
  ByCaller: 'Someone paused it.',
  Failing: 'Deliveries failed for 24 hours.',
  Gone: 'The receiver answered 410.',
});
const STATE = namesOf('WebhookDeliveryState', WebhookDeliveryState, {
  Waiting: 'It is being sent, or waits for its next attempt.',
  Delivered: 'The receiver answered with a status of 200 to 299.',
  Failed: 'It is no longer sent.',
});

export class WebhookLastDeliveryDto {
  @Instant('Time of its creation.') createdAt: Date;
  @EnumName('State of the delivery.', STATE) state: WebhookDeliveryState;
  @Int('HTTP status of the last answer.', { nullable: true, example: 200 }) lastStatus: number | null;
  @Text('Reason of the failure of the last attempt; null without one.', { nullable: true, example: null }) lastError: string | null;
}

export class WebhookDto {
  @Guid('Id of the webhook.') id: string;
  @Instant('Time of its creation.') createdAt: Date;
  @Text(URL_TEXT, { example: URL_EXAMPLE }) url: string;
  @TextList(KINDS_TEXT, { maxLength: 50, example: KINDS_EXAMPLE }) kinds: string[];
  @EnumName('Reason of the pause; null while events are sent.', PAUSE, { nullable: true }) pause: WebhookPause | null;
  @Instant('Start of the pause; null while events are sent.', { nullable: true, example: null }) pausedAt: Date | null;
  @Instant('Time until which the previous secret signs deliveries, too; null if it no longer does.', { nullable: true, example: null })
  formerSecretUntil: Date | null;
  @Nested('The newest delivery of the last seven days; null for none.', () => WebhookLastDeliveryDto, { nullable: true })
  lastDelivery: WebhookLastDeliveryDto | null;
}

export class WebhookWithSecretDto extends WebhookDto {
  @Text('Secret that signs deliveries. It is shown only now.', { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }) secret: string;
}

export class WebhooksResponseDto {
  @ListOf('The webhooks of the tenant, the oldest first.', () => WebhookDto) items: WebhookDto[];
}

export class WebhookRequestDto {
  @Text(URL_TEXT, { min: 1, max: MAXIMUM_URL, example: URL_EXAMPLE }) url: string;
  @TextList(KINDS_TEXT, { max: 20, maxLength: 50, default: [], example: KINDS_EXAMPLE }) kinds: string[];
}

export class WebhookDeliveriesQueryDto {
  @Guid('Deliveries older than this one: the last of the page before.', { nullable: true }) before: string | null;
  @PageSize('Deliveries', { min: 1, max: 200, default: 50 }) limit: number;
}

export class WebhookDeliveryDto {
  @Guid('Id of the delivery.') id: string;
  @Instant('Time of its creation.') createdAt: Date;
  @Text('Value of `webhook-id`: the id of the event, or of a test. Redeliveries have the same.', { example: '1742-0a1b2c3d' })
  messageId: string;
  @Text('Kind of the event; `test` for a test.', { example: 'device.offline' }) kind: string;
  @EnumName('State of the delivery.', STATE) state: WebhookDeliveryState;
  @Int('Number of attempts.') attempts: number;
  @Instant('Time of the last attempt.', { nullable: true, example: null }) lastAttemptAt: Date | null;
  @Instant('Time of the next attempt.', { nullable: true, example: null }) nextAttemptAt: Date | null;
  @Int('HTTP status of the last answer.', { nullable: true, example: 200 }) lastStatus: number | null;
  @Text('Reason why the last attempt failed; null if it did not fail.', { nullable: true, example: null }) lastError: string | null;
  @Int('Milliseconds that the last attempt took.', { nullable: true, example: 84 }) lastMilliseconds: number | null;
  @Text('Body as it is sent.', { example: '{"type":"device.offline","timestamp":"2026-03-14T09:26:53.000Z","data":{}}' }) body: string;
}

export class WebhookDeliveriesResponseDto {
  @ListOf('The deliveries of the last seven days, the newest first.', () => WebhookDeliveryDto) items: WebhookDeliveryDto[];
}
