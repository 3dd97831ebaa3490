import { guidToHex } from '../../platform/common/identifiers/guid.js';

/*
 * The longer texts of the API reference, in Markdown.
 */

const EXAMPLE_ID = '00112233-4455-6677-8899-aabbccddeeff';

/** Format of the value of a key header. Both key schemes use this text. */
export const KEY_FORMAT = unwrapped(`Format: \`<32 hex digits>:<secret>\`. Send the value as it was shown when the credential was created.

The hex digits are the id of the credential, with the bytes of its first three groups in reverse order (little-endian), as .NET writes the
bytes of a GUID; it is **not** the id without hyphens. Upper and lower case are both read. Example:

| Form | Value |
| --- | --- |
| id of the credential | \`${EXAMPLE_ID}\` |
| hex digits | \`${guidToHex(EXAMPLE_ID)}\` |

Only the first key of a server, which its operator configures, has to be put together by hand in this way.`);

/** Introduction to the operations of v1. */
export const V1_INTRODUCTION = unwrapped(`The stable contract for automating device management: find devices, organize them, work on them, and
manage who may do so. The guide \`docs/api.md\` leads through a first call and explains in depth what follows here in short.

### Authentication

A request carries one credential: the API key of a service account in \`x-api-key\`, or a personal access token in \`x-personal-token\`. If both
are sent, the token counts. A credential that is present and wrong is refused; the next one is never tried. The few operations that need no
credential say so.

### Tenants

Nearly everything belongs to a tenant, and most operations work in the one that \`tenantId\` names. Users and tenant service accounts can name
their own tenant only, server service accounts any. An id that belongs to another tenant answers 404, like an id that does not exist.

### Permissions

Each operation says which permission it needs, and on what. A permission is granted at a scope, such as a device, a device group or the whole
tenant, and holds for everything within that scope. A Deny always wins over an Allow.

### Requests and answers

Bodies are JSON. Names of members and of query values are read in any case, and unknown ones are ignored. Dates are ISO 8601; without an offset
they are UTC. Answers leave no member out: null stands for no value.

### Paging

Lists answer \`items\`. Those that are paged take \`page\`, counted from 0, and \`pageSize\`, and answer in \`totalItems\` how many items match on
all pages.

### Errors

Every error is a Problem Details object (\`application/problem+json\`, RFC 9457). Decide by the status; \`detail\` is for people, and \`errors\`
names the wrong fields of a 400. Besides the errors that it lists, any operation can answer 405 (wrong method), 413 (body too large), 415 (wrong
content type) and 503 (try again later).

### Changes by several editors

Answers about things that can be changed carry the tag of their state as \`ETag\`. A change that sends it as \`If-Match\` is made only in that
state, and otherwise answers 412. Without the header it overwrites what is there.

### Caching

A few operations may answer what is some seconds old, and say so. Permissions are checked on every request, and never cached.

### Throttling

Valid credentials are not limited. After some failed authentications in a row, the source address and the credential are refused with 401 for
some minutes, also with the right secret.`);

/** Introduction to the internal operations. */
export const INTERNAL_INTRODUCTION = unwrapped(`Routes of the web front end and of device agents. They may change with any version: integrate against v1 instead.`);

/** Introduction to the operations about accounts. */
export const ACCOUNT_INTRODUCTION = unwrapped(`Registration, sign-in and the caller's own account, as the web front end uses them. Signing in
sets a cookie that scripts cannot read. Requests that change something are accepted from pages of this service and of the origins in
\`AppOptions:CorsAllowedOrigins\` only. Like the internal routes, these may change with any version.

A 403 with a \`reason\` says what to do before the request is repeated: \`StepUpRequired\` (confirm it's you) or
\`PasswordChangeRequired\` (set a new password).`);

/** Introduction to the operations about inventories. */
export const INVENTORY_INTRODUCTION = unwrapped(`Notes about devices, the values of fields that a tenant defines, and the reports of this server's own agents:
model, memory, installed programs and pending updates. Authentication, tenants, permissions, errors and entity tags are those of v1.`);

/** Introduction to the operations about events. */
export const EVENTS_INTRODUCTION = unwrapped(`Hear of events in a tenant without polling devices or logs: devices that register, go online or offline
or get another key, sessions on devices, used installer keys, changed permissions, and sign-ins from a new network or browser. Read events with
\`GET /api/events\`, follow them as server-sent events. Authentication, permissions and errors are those of v1. \`tenantId\` may be left out by
callers that belong to a tenant.

### Going on without loss

Every event has an id. Go on with \`after\`, or \`Last-Event-ID\`, and the id of the last event that you have processed: you get every later
event, also after a crash of your program or of the service. Events are kept for some days (7, unless the operator chose otherwise); who comes
later gets 410 with the id of the oldest event that is left.

### Webhooks

A webhook has events sent to an address by POST, in the form of [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\` is the id of the
event, \`webhook-signature\` an HMAC-SHA256 with the secret of the webhook. Failures are tried again over 24 hours, then the webhook is paused.`);

/** Joins the lines of each paragraph. The reference would otherwise break lines as the source does. */
function unwrapped(text: string): string {
  return text.replaceAll(/(?<=[^\n])\n(?=[^\n|])/g, ' ');
}
