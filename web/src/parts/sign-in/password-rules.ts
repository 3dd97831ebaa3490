/** The rules that the service holds passwords to, so that a form can tick them off while one is typed. The service decides. */
const PASSWORD_RULES = {
  'rule-length': (password: string) => password.length >= 8 && password.length <= 100,
  'rule-upper': (password: string) => /\p{Lu}/u.test(password),
  'rule-lower': (password: string) => /\p{Ll}/u.test(password),
  'rule-digit': (password: string) => /\d/.test(password),
} as const;

export type PasswordRule = keyof typeof PASSWORD_RULES;

/** Checks a password against each rule. `isKept` is true if the password keeps it. */
export const checkPassword = (password: string): readonly { readonly rule: PasswordRule; readonly isKept: boolean }[] =>
  (Object.keys(PASSWORD_RULES) as PasswordRule[]).map((rule) => ({ rule, isKept: PASSWORD_RULES[rule](password) }));
