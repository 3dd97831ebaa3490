import type { ReactNode } from 'react';

import { TextField } from '../field/Field.js';
import { Select } from '../select/Select.js';
import { Form } from './Form.js';

/* Fields have names of the values of their form. */

type SignIn = 'userName' | 'password';

export const right = (): ReactNode => (
  <Form<SignIn> onSubmit={({ userName = '' }) => userName}>
    <TextField<SignIn> name="userName" label="E-mail" />
  </Form>
);
// @ts-expect-error: a typo
export const wrongName = (): ReactNode => <TextField<SignIn> name="userNmae" label="E-mail" />;
// @ts-expect-error: a field of another form
export const wrongForm = (): ReactNode => <TextField<SignIn> name="newPassword" label="Password" />;
// @ts-expect-error: a name, but no form
export const noForm = (): ReactNode => <TextField name="userName" label="E-mail" />;
// @ts-expect-error: a choice of another form
export const wrongChoice = (): ReactNode => <Select<string, SignIn> name="severity" label="Severity" options={[]} />;
// @ts-expect-error: a value that the form does not have
export const wrongValue = (): ReactNode => <Form<SignIn> onSubmit={({ newPassword }) => newPassword}>{null}</Form>;

/** A field outside of forms has no name. */
export const outside = (): ReactNode => <TextField label="Filter" />;
