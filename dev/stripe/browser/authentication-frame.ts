/** Stripe's frame around the bank's: shows the challenge it is given and says when it is over. */
import { awaitHost } from './protocol.ts';

awaitHost((setup, send) => {
  if (setup.type !== 'challenge') return;
  const bank = document.createElement('iframe');
  bank.id = 'challengeFrame';
  bank.name = 'stripe-challenge-frame';
  bank.title = '3D Secure challenge';
  bank.src = `/frames/challenge#${encodeURIComponent(setup.challenge)}`;
  document.body.replaceChildren(bank);
  window.addEventListener('message', (event) => {
    if (event.origin === location.origin && event.source === bank.contentWindow) send({ type: 'finished' });
  });
});
