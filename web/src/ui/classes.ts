/** Joins the class names that apply. */
export const classes = (...names: readonly (string | undefined | null | false)[]): string => names.filter(Boolean).join(' ');
