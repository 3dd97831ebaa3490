import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Bool, Guid, Text } from '../http/binding/fields.js';
import { MessageSeverity } from './server-alert.entity.js';

const MAXIMUM_MESSAGE_LENGTH = 500;
const SEVERITY = namesOf('MessageSeverity', MessageSeverity);

export class ServerAlertRequestDto {
  @Text('', { max: MAXIMUM_MESSAGE_LENGTH }) message: string;
  @EnumName('', SEVERITY) severity: MessageSeverity;
  @Bool('') isDismissable: boolean;
  @Bool('') isSticky: boolean;
  @Bool('') isEnabled: boolean;
}

export class ServerAlertResponseDto {
  @Guid('', { nullable: true }) id: string | null;
  @Text('', { nullable: true }) message: string | null;
  @EnumName('', SEVERITY) severity: MessageSeverity;
  @Bool('') isDismissable: boolean;
  @Bool('') isSticky: boolean;
  @Bool('') isEnabled: boolean;
}
