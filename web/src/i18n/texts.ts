/** The texts of an area by their keys. */
export type Texts = Readonly<Record<string, string>>;

/** Values for placeholders such as `{{name}}`. */
export type Values = Readonly<Record<string, string | number>>;
