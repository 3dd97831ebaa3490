import { ExternalProviderDto } from '../../people/external-sign-in/external-sign-in.dto.js';
import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Int, ListOf, Text } from '../../platform/http/binding/fields.js';

/** People who may register now. */
export enum OpenRegistration {
  Closed = 'Closed',
  FirstUser = 'FirstUser',
  Public = 'Public',
}

export const REGISTRATION = namesOf('OpenRegistration', OpenRegistration, {
  Closed: 'Registration is closed: people are invited.',
  FirstUser: 'Only the first user, who will administer the server.',
  Public: 'Anyone may register. Each registration creates a tenant.',
});

export class ServerOfferDto {
  @Text('Name of the product, as pages and mails show it.', { example: 'Device Management' }) productName: string;
  @Text('Version of the service.', { example: '1.4.0.0' }) serverVersion: string;
  @EnumName('People who may register now.', REGISTRATION) registration: OpenRegistration;
  @ListOf('The providers with which people can sign in, in the order in which they are offered.', () => ExternalProviderDto)
  externalProviders: ExternalProviderDto[];
  @Bool('True if users can sign in with passkeys, which need a domain name of the service.') arePasskeysPossible: boolean;
  @Bool(
    'True if the service sends mail. Otherwise the routes that only send a mail answer 409, and links of invitations are handed on by hand.',
  )
  isMailSent: boolean;
  @Bool('True if users must confirm their e-mail address before they sign in. The link of an invitation confirms it, too.')
  mustConfirmEmail: boolean;
  @Int('Days for which an invitation can be accepted.', { example: 7 }) invitationDays: number;
}
