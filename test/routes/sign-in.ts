import { answering } from './calls.js';
import type { Resource } from './resource.js';

/* Valid passwords are tested in test/api/sign-in: here, what counts is who may call. */

export const signIn: Resource = {
  tag: 'SignIn',
  routes: {
    'POST /account/sign-in': {
      access: 'anonymous',
      body: 'SignInRequestDto',
      answers: { 200: 'SignInResponseDto' },
      errors: [400, 401],
      call: answering(400),
    },
    'POST /account/sign-out': {
      access: 'authenticated',
      answers: { 204: 'nothing' },
      call: answering(204),
    },
    'POST /account/step-up': {
      access: 'signed in',
      body: 'StepUpRequestDto',
      answers: { 200: 'StepUpResponseDto' },
      errors: [400, 401, 403],
      call: answering(400),
    },
  },
};
