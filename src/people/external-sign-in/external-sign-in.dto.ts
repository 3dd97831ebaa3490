import { Bool, Guid, Instant, ListOf, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_RETURN_PATH_LENGTH } from './return-path.js';

const RETURN_PATH = {
  min: 1,
  max: MAXIMUM_RETURN_PATH_LENGTH,
  default: '/',
  example: '/devices',
};
const LED_BACK = 'Path of this service to which the browser is led back, with query if it has one.';

export class ExternalProviderDto {
  @Text('Name of the provider, as it stands in addresses.', { example: 'corporate' }) name: string;
  @Text('Display name of the provider.', { example: 'Contoso' }) displayName: string;
}

export class ExternalProvidersResponseDto {
  @ListOf('The providers in the order in which they are offered.', () => ExternalProviderDto) items: ExternalProviderDto[];
}

export class StartExternalSignInQueryDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
  @Bool('True to keep the browser signed in after it is closed.', { default: false }) isPersistent: boolean;
}

export class ConnectLoginRequestDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
}

export class ConnectLoginResponseDto {
  @Text('Address at which the browser signs in at the provider.', {
    example: 'https://login.contoso.example/authorize?client_id=device-management&response_type=code',
  })
  address: string;
}

export class ExternalStepUpRequestDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
}

export class ExternalStepUpResponseDto {
  @Text('Address at which the browser signs in at the provider again.', {
    example: 'https://login.contoso.example/authorize?client_id=device-management&response_type=code&prompt=login',
  })
  address: string;
}

export class ExternalLoginDto {
  @Guid('Id of the login.') id: string;
  @Text('Name of the provider.', { example: 'corporate' }) provider: string;
  @Text('Display name of the provider, or its name if it is no longer configured.', { example: 'Contoso' }) providerDisplayName: string;
  @Text('Name of the user at the provider; null if it sent none.', { nullable: true, example: 'Anna Berger' }) displayName: string | null;
  @Text('E-mail address there.', { nullable: true, example: 'anna@contoso.example' }) email: string | null;
  @Instant('Time at which the login was connected.') createdAt: Date;
  @Instant('Time of the last sign-in with the login; null if there was none.', { nullable: true }) lastUsedAt: Date | null;
}

export class ExternalLoginsResponseDto {
  @ListOf('The logins, oldest first.', () => ExternalLoginDto) items: ExternalLoginDto[];
}
