import { Bool } from '../http/binding/fields.js';

export class PublicServerSettingsDto {
  @Bool('') isPublicRegistrationEnabled: boolean;
  @Bool('') disableDesktopPreview: boolean;
}
