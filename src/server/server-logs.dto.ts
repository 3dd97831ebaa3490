import { Bool, Text } from '../common/binding/fields.js';

export class GetAspireUrlResponseDto {
  @Bool() isConfigured: boolean;
  @Text({ nullable: true, description: 'The address that signs the browser in at the dashboard.' }) aspireUrl: string | null;
}
