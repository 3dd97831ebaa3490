import { guidToHex } from '../common/guid.js';
import { LIST_LIMIT } from '../common/list-limit.js';

/*
 * The longer texts of the API reference, in Markdown.
 */

const EXAMPLE_ID = '0190a3b4-c5d6-7e8f-9a0b-1c2d3e4f5061';

/** How the value of a key header is made, for the descriptions of both key schemes. */
export const KEY_FORMAT = unwrapped(`Format: \`<32 hex digits>:<secret>\`. Send the value as it was shown when the credential was created.

The hex digits are the id of the credential, with the bytes of its first three groups in reverse order (little-endian), as .NET writes the
bytes of a GUID; it is **not** the id without hyphens. Upper and lower case are both read. Example:

| Form | Value |
| --- | --- |
| id of the credential | \`${EXAMPLE_ID}\` |
| hex digits | \`${guidToHex(EXAMPLE_ID)}\` |

Only the first key of a server, which its operator configures, has to be put together by hand in this way.`);

/** What a reader should know before the operations of v1. */
export const V1_INTRODUCTION = unwrapped(`The stable contract for automating device management: find devices, organize them, work on them, and manage who may do so.

The guide \`docs/api.md\` in the repository leads through a first call and explains what follows in depth.

### Authentication

Every request carries one credential: an API key of a service account in \`x-api-key\`, or a personal access token in \`x-personal-token\`. When
several are sent, the personal access token is the one that counts, then the API key, then the session cookie; a credential that is wrong is
refused even if another one would be valid. The few operations that need none say so.

### Tenants

Everything belongs to a tenant, and most operations work in the one that \`tenantId\` names. Users and tenant service accounts can name their
own tenant only; server service accounts can name any. What belongs to another tenant answers as if it did not exist.

### Permissions

Each operation says which permission it needs, and on what. Permissions are granted at a scope, such as a device, a device group or the whole
tenant, and include everything in that scope. A Deny always wins over an Allow.

### Requests and answers

Bodies are JSON in UTF-8. Names of members and query values are read in any case, and unknown ones are ignored. Dates are ISO 8601; without an
offset they are UTC. Answers leave no member out: null stands for no value.

### Paging

Operations that search take \`page\`, counted from 0, and \`pageSize\`, and answer \`totalItems\`. Lists without paging answer
${LIST_LIMIT.toLocaleString('en')} items at most, unless their description says otherwise.

### Errors

Every error is a Problem Details object (\`application/problem+json\`, RFC 9457). Decide by the HTTP status; \`detail\` is for people, and
\`errors\` names the wrong fields of a 400. Besides the errors that an operation lists, every operation can answer 405 (wrong method), 413 (body
too large), 415 (body of another media type) and 503 (try again later).

### Caching

Few operations are cached; they say for how long. Permissions are checked on every request, cached or not.

### Throttling

After several failed authentications, an address or a credential is refused with 401 for some minutes, even with the right secret.`);

/** The same for the internal surface. */
export const INTERNAL_INTRODUCTION = unwrapped(`Routes of the web front end and of device agents. They may change with any version: integrate against v1 instead.`);

/** The text with each paragraph on one line: the reference would break lines where the source does. */
function unwrapped(text: string): string {
  return text.replaceAll(/(?<=[^\n])\n(?=[^\n|])/g, ' ');
}
