/** The texts of an area by their keys. */
export type Texts = Readonly<Record<string, string>>;

/** What stands in place of `{{name}}`. */
export type Values = Readonly<Record<string, string | number>>;
