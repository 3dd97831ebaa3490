import { Bool, Text } from '../http/binding/fields.js';

export class GetAspireUrlResponseDto {
  @Bool() isConfigured: boolean;
  @Text({ nullable: true, description: 'The address that signs the browser in at the dashboard.' }) aspireUrl: string | null;
}
