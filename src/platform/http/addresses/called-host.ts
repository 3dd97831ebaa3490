/** A host, with its port if it has one, and the header that names it. */
export interface CalledHost {
  readonly header: 'Host' | 'X-Forwarded-Host';
  readonly host: string;
}
