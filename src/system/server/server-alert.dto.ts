import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Text } from '../../platform/http/binding/fields.js';
import { MessageSeverity } from './server-alert.entity.js';

const MAXIMUM_MESSAGE_LENGTH = 500;
const SEVERITY = namesOf('MessageSeverity', MessageSeverity);

const MESSAGE = 'The text of the alert.';
const EXAMPLE_MESSAGE = 'The service will be updated tonight at 22:00 UTC.';
const SEVERITY_MEANS = 'Severity of the alert. Clients choose its color and icon by it.';
const DISMISSABLE = 'True if users can dismiss the alert.';
const STICKY = 'True if a dismissed alert returns at the next visit of the user. Other alerts stay dismissed until their text changes.';
const ENABLED = 'True if the alert is shown.';

export class ServerAlertRequestDto {
  @Text(MESSAGE, { max: MAXIMUM_MESSAGE_LENGTH, example: EXAMPLE_MESSAGE }) message: string;
  @EnumName(SEVERITY_MEANS, SEVERITY) severity: MessageSeverity;
  @Bool(DISMISSABLE) isDismissable: boolean;
  @Bool(STICKY) isSticky: boolean;
  @Bool(ENABLED) isEnabled: boolean;
}

export class ServerAlertResponseDto {
  @Guid('Id of the alert; always the same one.', { nullable: true }) id: string | null;
  @Text(MESSAGE, { nullable: true, example: EXAMPLE_MESSAGE }) message: string | null;
  @EnumName(SEVERITY_MEANS, SEVERITY) severity: MessageSeverity;
  @Bool(DISMISSABLE) isDismissable: boolean;
  @Bool(STICKY) isSticky: boolean;
  @Bool(ENABLED) isEnabled: boolean;
}
