import { EnumNumber } from '../http/binding/enum-fields.js';
import { Bool, Double, Guid, GuidList, Int, ListOf, Nested, Text, TextList } from '../http/binding/fields.js';
import { ARCHITECTURE, Drive, PLATFORM } from './device.dto.js';

const MAXIMUM_TEXT_LENGTH = 1_024;

/*
 * The shapes that the document shows. Bodies are read with the descriptors of the contracts library, as on the hubs, so
 * that an agent is understood in the same way on both.
 */

/** What an agent reports of its device. Memory and storage in GiB, utilization 0 to 1. */
export class DeviceUpdateRequestDto {
  @Guid('') id: string;
  @Guid('') tenantId: string;
  @Text('', { nullable: true }) name: string | null;
  @Text('', { nullable: true }) agentVersion: string | null;
  @Bool('') is64Bit: boolean;
  @EnumNumber('', ARCHITECTURE) osArchitecture: number;
  @Text('', { nullable: true }) osDescription: string | null;
  @EnumNumber('', PLATFORM) platform: number;
  @Int('') processorCount: number;
  @Double('') cpuUtilization: number;
  @Double('') totalMemory: number;
  @Double('') totalStorage: number;
  @Double('') usedMemory: number;
  @Double('') usedStorage: number;
  @TextList('', { nullable: true, maxLength: MAXIMUM_TEXT_LENGTH }) currentUsers: string[] | null;
  @TextList('', { nullable: true, maxLength: MAXIMUM_TEXT_LENGTH }) macAddresses: string[] | null;
  @Text('', { nullable: true }) localIpV4: string | null;
  @Text('', { nullable: true }) localIpV6: string | null;
  @ListOf('', () => Drive, { nullable: true }) drives: Drive[] | null;
  @Text('', { default: '' }) dnsHostName: string;
}

export class CreateDeviceRequestDto {
  @Nested('', () => DeviceUpdateRequestDto) device: DeviceUpdateRequestDto;
  @Guid('') installerKeyId: string;
  @Text('') installerKeySecret: string;
  @GuidList('Null keeps the tags, an empty list removes them.', { nullable: true }) tagIds: string[] | null;
  @Text('Ed25519, base64 of 32 bytes; null keeps the stored key.', { nullable: true }) publicKey: string | null;
  @Guid('The customer that a device comes to which has none yet; null leaves it as it is.', { nullable: true })
  customerId: string | null;
}
