/** Form fields of the examples that are not fields of requests. */
export type ExampleField =
  'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'agree' | 'customers' | 'disabled' | 'distant' | 'kind2' | 'mode' | 'note' | 'until' | 'until2';

declare module '../src/ui/form/field-name.js' {
  interface FieldNames extends Readonly<Record<ExampleField, unknown>> {}
}
