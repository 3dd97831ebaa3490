import { Bool } from '../../platform/http/binding/fields.js';

export class PublicServerSettingsDto {
  @Bool('True if anyone may register. Each registration creates a tenant.') isPublicRegistrationEnabled: boolean;
  @Bool('True if the server refuses desktop previews.') disableDesktopPreview: boolean;
}
