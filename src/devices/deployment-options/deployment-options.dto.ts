import { Bool, Guid, Text } from '../../platform/http/binding/fields.js';

export class DeploymentOptionsDto {
  @Bool('True if agents are installed as a named instance, so that agents of several servers fit on one device.')
  appendInstanceId: boolean;
  @Text('Name of that instance; null if the tenant sets none.', { nullable: true, example: 'workshop' }) instanceId: string | null;
}

export class DeploymentTagCapabilityRequestDto {
  @Guid('Id of the device on which the agent is installed. One that is not known yet counts as new.', { nullable: true })
  deviceId: string | null;
  @Guid('Id of the customer that a new device is for.', { nullable: true }) customerId: string | null;
}

export class DeploymentTagCapabilityResponseDto {
  @Bool('True if the caller may set tags.') allowed: boolean;
}
