import { Bool, Text } from '../http/binding/fields.js';

export class GetAspireUrlResponseDto {
  @Bool('') isConfigured: boolean;
  @Text('The address that signs the browser in at the dashboard.', { nullable: true }) aspireUrl: string | null;
}
