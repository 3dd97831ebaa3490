import { Bool, Guid, Text } from '../http/binding/fields.js';

export class DeploymentOptionsDto {
  @Bool('') appendInstanceId: boolean;
  @Text('', { nullable: true }) instanceId: string | null;
}

export class DeploymentTagCapabilityRequestDto {
  @Guid('The device on which the agent is installed; one that is not known yet counts as new.', { nullable: true })
  deviceId: string | null;
  @Guid('The customer that a new device is for.', { nullable: true }) customerId: string | null;
}

export class DeploymentTagCapabilityResponseDto {
  @Bool('') allowed: boolean;
}
