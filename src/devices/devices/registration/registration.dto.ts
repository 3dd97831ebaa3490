import { EnumNumber } from '../../../platform/http/binding/enum-fields.js';
import { Bool, Double, Guid, GuidList, Int, ListOf, Nested, Text, TextList } from '../../../platform/http/binding/fields.js';
import { ARCHITECTURE, Drive, PLATFORM } from '../device.dto.js';

const MAXIMUM_TEXT_LENGTH = 1_024;

/*
 * These classes only describe the bodies. Requests are decoded with the descriptors of the contracts library, as on the hubs,
 * so that an agent is understood in the same way on both.
 */

/** An agent's report about its device. */
export class DeviceUpdateRequestDto {
  @Guid('Id of the device, chosen by the agent at its installation.') id: string;
  @Guid('Id of the tenant. The tenant of the installer key wins.') tenantId: string;
  @Text('Name of the machine.', { nullable: true, example: 'front-desk-2' }) name: string | null;
  @Text('Version of the agent.', { nullable: true, example: '1.4.2.0' }) agentVersion: string | null;
  @Bool('True for a 64-bit operating system.') is64Bit: boolean;
  @EnumNumber('Architecture of the processor.', ARCHITECTURE) osArchitecture: number;
  @Text('Name and version of the operating system.', { nullable: true, example: 'Debian GNU/Linux 12 (bookworm)' })
  osDescription: string | null;
  @EnumNumber('Operating system.', PLATFORM) platform: number;
  @Int('Number of logical processors.', { example: 8 }) processorCount: number;
  @Double('Use of the processors, from 0 to 1.', { example: 0.12 }) cpuUtilization: number;
  @Double('Memory in GiB.', { example: 15.6 }) totalMemory: number;
  @Double('Storage of the fixed drives in GiB.', { example: 476.3 }) totalStorage: number;
  @Double('Memory in use in GiB.', { example: 6.2 }) usedMemory: number;
  @Double('Storage in use in GiB.', { example: 121.9 }) usedStorage: number;
  @TextList('Names of the users who are signed in.', { nullable: true, maxLength: MAXIMUM_TEXT_LENGTH, example: ['anna'] })
  currentUsers: string[] | null;
  @TextList('MAC addresses of the network interfaces.', {
    nullable: true,
    maxLength: MAXIMUM_TEXT_LENGTH,
    example: ['0A1B2C3D4E5F'],
  })
  macAddresses: string[] | null;
  @Text('Local IPv4 address.', { nullable: true, example: '192.168.1.24' }) localIpV4: string | null;
  @Text('Local IPv6 address.', { nullable: true, example: 'fd00::24' }) localIpV6: string | null;
  @ListOf('The fixed drives.', () => Drive, { nullable: true }) drives: Drive[] | null;
  @Text('DNS name of the machine.', { default: '', example: 'front-desk-2.example.org' }) dnsHostName: string;
}

export class CreateDeviceRequestDto {
  @Nested('The device as the agent sees it.', () => DeviceUpdateRequestDto) device: DeviceUpdateRequestDto;
  @Guid('Id of the installer key.') installerKeyId: string;
  @Text('Secret of the installer key.', { example: 'c2VjcmV0LW9mLXRoZS1pbnN0YWxsZXIta2V5' }) installerKeySecret: string;
  @GuidList('Ids of the tags that the device gets. Null keeps its tags, an empty list removes them.', { nullable: true }) tagIds:
    string[] | null;
  @Text('Ed25519 public key of the device, base64 of 32 bytes. Null keeps the stored key.', {
    nullable: true,
    example: 'LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=',
  })
  publicKey: string | null;
  @Guid('Id of the customer for a device that has none yet. Null leaves the customer as it is.', { nullable: true })
  customerId: string | null;
}

/** Longest secret that is compared. Those of installer keys are shorter. */
const MAXIMUM_SECRET_LENGTH = 1_024;

export class CheckInstallerKeyRequestDto {
  @Guid('Id of the installer key.') installerKeyId: string;
  @Text('Secret of the installer key.', { max: MAXIMUM_SECRET_LENGTH, example: 'c2VjcmV0LW9mLXRoZS1pbnN0YWxsZXIta2V5' })
  installerKeySecret: string;
}
