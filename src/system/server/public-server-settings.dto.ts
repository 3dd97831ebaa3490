import { Bool } from '../../platform/http/binding/fields.js';

export class PublicServerSettingsDto {
  @Bool('Whether anybody may register. Each registration makes a tenant of its own.') isPublicRegistrationEnabled: boolean;
  @Bool('Whether the server refuses desktop previews.') disableDesktopPreview: boolean;
}
