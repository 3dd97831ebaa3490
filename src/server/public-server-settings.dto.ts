import { Bool } from '../common/binding/fields.js';

export class PublicServerSettingsDto {
  @Bool() isPublicRegistrationEnabled: boolean;
  @Bool() disableDesktopPreview: boolean;
}
