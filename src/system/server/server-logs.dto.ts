import { Bool, Text } from '../../platform/http/binding/fields.js';

export class GetAspireUrlResponseDto {
  @Bool('True if a telemetry dashboard is configured.') isConfigured: boolean;
  @Text('The address that signs a browser in at the dashboard; null if none is configured.', {
    nullable: true,
    example: 'https://telemetry.example.org/login?t=8c1f0e',
  })
  aspireUrl: string | null;
}
