import type { Schemas } from '../model/schemas.js';

/*
 * The fields of forms: those of requests, which the errors of the service name, and those that no request has.
 */

type FieldsOfRequests = {
  [Name in keyof Schemas]: Name extends `${string}RequestDto` ? keyof Schemas[Name] & string : never;
}[keyof Schemas];

/** Fields of filters, choices of this browser and dialogs. */
type OtherFields =
  | 'Allow'
  | 'Deny'
  | 'action'
  | 'actor'
  | 'customer'
  | 'density'
  | 'file'
  | 'from'
  | 'groupIds'
  | 'hours'
  | 'instanceId'
  | 'keyId'
  | 'keySecret'
  | 'kind'
  | 'language'
  | 'lifetime'
  | 'notifyUserOnSessionStart'
  | 'operator'
  | 'place'
  | 'port'
  | 'process'
  | 'property'
  | 'tags'
  | 'target'
  | 'theme'
  | 'to'
  | 'username'
  | 'what'
  | 'who';

declare module '../ui/form/field-name.js' {
  interface FieldNames extends Readonly<Record<FieldsOfRequests | OtherFields, unknown>> {}
}
