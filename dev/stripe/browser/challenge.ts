/**
 * The bank's page of a test payment: the payer chooses whether the challenge is passed. As with Stripe it stands in
 * a frame of the bank's within one of Stripe's; both are this page.
 */
import { challengeFinished } from './protocol.ts';

const challenge = decodeURIComponent(location.hash.slice(1));
const buttons = document.querySelectorAll('button');
const problem = document.querySelector('[role="alert"]');

async function finish(isPassed: boolean): Promise<void> {
  for (const button of buttons) button.disabled = true;
  try {
    const response = await fetch('/frames/challenge', {
      method: 'POST',
      body: JSON.stringify({ challenge, isPassed }),
      headers: { 'Content-Type': 'application/json' },
    });
    if (!response.ok) throw new Error(`The emulator answered ${response.status}.`);
    window.top?.postMessage(challengeFinished, '*');
  } catch {
    for (const button of buttons) button.disabled = false;
    if (problem) problem.textContent = 'The bank could not be reached. Please try again.';
  }
}

if (window.parent === window.top) {
  const bank = document.createElement('iframe');
  bank.id = 'challengeFrame';
  bank.title = '3D Secure challenge';
  bank.src = `/frames/challenge?bank${location.hash}`;
  document.body.replaceChildren(bank);
}
for (const button of buttons)
  button.addEventListener('click', () => void finish(button.id === 'test-source-authorize-3ds'));
