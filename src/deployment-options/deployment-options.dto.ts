import { Bool, Guid, Text } from '../http/binding/fields.js';

export class DeploymentOptionsDto {
  @Bool() appendInstanceId: boolean;
  @Text({ nullable: true }) instanceId: string | null;
}

export class DeploymentTagCapabilityRequestDto {
  @Guid({ nullable: true, description: 'The device on which the agent is installed; one that is not known yet counts as new.' })
  deviceId: string | null;
  @Guid({ nullable: true, description: 'The customer that a new device is for.' }) customerId: string | null;
}

export class DeploymentTagCapabilityResponseDto {
  @Bool() allowed: boolean;
}
