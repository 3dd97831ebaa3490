import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { passkeysAutofill, signInWithPasskey } from '../../api/people/passkeys.js';
import type { SignInAnswer } from '../../api/people/sign-in.js';

/** A challenge is valid for five minutes. A new one is requested before that. */
const RENEW_AFTER = 240_000;

/**
 * Signs in with a passkey: by a button, or by the browser's offer in the field of the name. A browser has one request under way at a time,
 * so the offer is withdrawn while the form is sent or the button was pressed. Once a passkey was chosen in the field that is too late: then
 * the passkey signs in, and nothing else does.
 */
export function usePasskeySignIn(isPossible: boolean, onAnswer: (answer: SignInAnswer) => Promise<void>) {
  const [round, setRound] = useState(0);
  const offer = useRef<AbortController | null>(null);
  /** A passkey was chosen in the field, and signs in now. */
  const isSigningIn = useRef(false);
  const [offerError, setOfferError] = useState<unknown>(null);
  const taken = useEffectEvent(onAnswer);
  /** False if it is too late. */
  const withdraw = (): boolean => {
    if (isSigningIn.current) return false;
    offer.current?.abort();
    return true;
  };
  const offerAgain = (): void => setRound((each) => each + 1);

  useEffect(() => {
    if (!isPossible) return undefined;
    const controller = new AbortController();
    offer.current = controller;
    const { signal } = controller;
    let isChosen = false;
    const wait = async (): Promise<void> => {
      if (!(await passkeysAutofill()) || signal.aborted) return;
      const answer = await signInWithPasskey({ mediation: 'conditional', signal }, () => {
        isChosen = true;
        isSigningIn.current = true;
      });
      if (answer !== null) await taken(answer);
    };
    const end = (): void => {
      if (isChosen) isSigningIn.current = false;
    };
    wait().then(end, (error: unknown) => {
      end();
      // An offer that fails unused is no error to show: the button is still there, and the next offer follows.
      if (!isChosen) return;
      setOfferError(error);
      setRound((each) => each + 1);
    });
    const renewal = setTimeout(() => setRound((each) => each + 1), RENEW_AFTER);
    return () => {
      clearTimeout(renewal);
      controller.abort();
    };
  }, [isPossible, round]);

  const press = useMutation({
    async mutationFn() {
      setOfferError(null);
      const answer = await signInWithPasskey();
      if (answer !== null) await onAnswer(answer);
    },
    onSettled: offerAgain,
  });
  const pressed = (): void => {
    if (withdraw()) press.mutate();
  };
  return { press: pressed, isPending: press.isPending, error: press.error ?? offerError, withdraw, offerAgain };
}
