import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, Int, ListOf, Name, Nested } from '../../platform/http/binding/fields.js';
import { PasskeyDeviceType } from './passkey.entity.js';
import { CreatedPasskeyDto } from './webauthn.dto.js';

const MAXIMUM_NAME_LENGTH = 100;

const DEVICE_TYPE = namesOf('PasskeyDeviceType', PasskeyDeviceType, {
  SingleDevice: 'it stays on the device that it was created on, such as a security key.',
  MultiDevice: 'it may be copied between the devices of its user.',
});

export class PasskeyDto {
  @Guid('Id of the passkey.') id: string;
  @Name('Name that the user gave it.', { example: 'Laptop' }) name: string;
  @Instant('Time at which the passkey was added.') createdAt: Date;
  @Instant('Last use of the passkey; null if it was never used.', { nullable: true }) lastUsedAt: Date | null;
  @EnumName('Type of the passkey: it stays on one device, or can be copied to others.', DEVICE_TYPE) deviceType: PasskeyDeviceType;
  @Bool('True if a copy of the passkey is kept elsewhere, so that it outlives its device.') isBackedUp: boolean;
}

export class PasskeysResponseDto {
  @ListOf('Your passkeys, oldest first.', () => PasskeyDto) items: PasskeyDto[];
  @Int('Most passkeys that a user may have.', { example: 100 }) maximum: number;
}

export class AddPasskeyRequestDto {
  @Name('Name of the passkey, chosen by its user.', { min: 1, max: MAXIMUM_NAME_LENGTH, example: 'Laptop' }) name: string;
  @Nested('The new credential, as `toJSON()` writes it.', () => CreatedPasskeyDto) credential: CreatedPasskeyDto;
}

export class RenamePasskeyRequestDto {
  @Name('New name of the passkey.', { min: 1, max: MAXIMUM_NAME_LENGTH, example: 'Old laptop' }) name: string;
}
