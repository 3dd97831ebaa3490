import { Bool } from '../../platform/http/binding/fields.js';

export class PublicServerSettingsDto {
  @Bool('Whether anyone may register. Each registration creates a tenant.') isPublicRegistrationEnabled: boolean;
  @Bool('Whether the server refuses desktop previews.') disableDesktopPreview: boolean;
}
