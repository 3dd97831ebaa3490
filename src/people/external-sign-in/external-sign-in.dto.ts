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
  @Text('What people see.', { example: 'Contoso' }) displayName: string;
}

export class ExternalProvidersResponseDto {
  @ListOf('The providers in the order in which they are offered.', () => ExternalProviderDto) items: ExternalProviderDto[];
}

export class StartExternalSignInQueryDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
  @Bool('Whether the browser stays signed in after it was closed.', { default: false }) isPersistent: boolean;
}

export class ConnectLoginRequestDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
}

export class ConnectLoginResponseDto {
  @Text('Where the browser goes to sign in at the provider.', {
    example: 'https://login.contoso.example/authorize?client_id=device-management&response_type=code',
  })
  address: string;
}

export class ExternalStepUpRequestDto {
  @Text(LED_BACK, RETURN_PATH) returnPath: string;
}

export class ExternalStepUpResponseDto {
  @Text('Where the browser goes to sign in at the provider once more.', {
    example: 'https://login.contoso.example/authorize?client_id=device-management&response_type=code&prompt=login',
  })
  address: string;
}

export class ExternalLoginDto {
  @Guid('Id of the login.') id: string;
  @Text('Name of the provider.', { example: 'corporate' }) provider: string;
  @Text('What people see; the name when the provider is not configured any more.', { example: 'Contoso' }) providerDisplayName: string;
  @Text('What the person is called there.', { nullable: true, example: 'Anna Berger' }) displayName: string | null;
  @Text('E-mail address there.', { nullable: true, example: 'anna@contoso.example' }) email: string | null;
  @Instant('When it was connected.') createdAt: Date;
  @Instant('When it was last used to sign in.', { nullable: true }) lastUsedAt: Date | null;
}

export class ExternalLoginsResponseDto {
  @ListOf('The logins, oldest first.', () => ExternalLoginDto) items: ExternalLoginDto[];
}
