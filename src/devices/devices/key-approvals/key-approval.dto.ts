import { Bool, Guid, Instant, Text } from '../../../platform/http/binding/fields.js';

const EXAMPLE_FINGERPRINT = 'SHA256:m3bQv8QbSyUkF1n0mJ0hZ8mYzq2b6d1o4vXxE5wYt2c';
/** A fingerprint has 50 characters. */
const MAXIMUM_FINGERPRINT_LENGTH = 100;

/** The key that a device signs its reports with. */
export class DeviceKeyApprovalResponseDto {
  @Guid('Id of the device.') deviceId: string;
  @Text('Name of the device.', { example: 'front-desk-2' }) name: string;
  @Bool('True while the key waits for approval. Until then the service sends nothing to its holder.') isPending: boolean;
  @Text('Fingerprint of the key: `SHA256:` and the base64 of its hash. Null while the device has no key.', {
    nullable: true,
    example: EXAMPLE_FINGERPRINT,
  })
  fingerprint: string | null;
  @Text('While the key waits: fingerprint of the key in force, whose agent goes on; null if there is none.', {
    nullable: true,
    example: 'SHA256:Zr0Wq2l9o8uC7y6XgT4k1vB3nM5aS7dF9gH2jK4lP6Q',
  })
  formerFingerprint: string | null;
  @Instant('Start of the wait; null while the key does not wait.', { nullable: true }) pendingSince: Date | null;
}

export class ApproveDeviceKeyRequestDto {
  @Text('Fingerprint of the key to approve, as it was read. It prevents the approval of a newer key.', {
    max: MAXIMUM_FINGERPRINT_LENGTH,
    notBlank: true,
    example: EXAMPLE_FINGERPRINT,
  })
  fingerprint: string;
}
