/**
 * The bank's page of a test payment, on which the payer passes or fails the challenge. At Stripe, it is in a frame of
 * the bank inside a frame of Stripe. This page is both.
 */
import { challengeFinished } from './protocol.ts';

const challenge = decodeURIComponent(location.hash.slice(1));

const isBank = window.parent !== window.top;
document.body.innerHTML = isBank
  ? `<main>
      <h1>3D Secure 2 Test Page</h1>
      <p>This is a test 3D Secure 2 authentication. In live mode, customers prove here to their bank that the card is theirs.</p>
      <p role="alert"></p>
      <button type="button" id="test-source-authorize-3ds">Complete</button>
      <button type="button" id="test-source-fail-3ds">Fail</button>
    </main>`
  : '<iframe id="challengeFrame" title="3D Secure challenge"></iframe>';
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

document.querySelector('iframe')?.setAttribute('src', `/frames/challenge?bank${location.hash}`);
for (const button of buttons)
  button.addEventListener('click', () => void finish(button.id === 'test-source-authorize-3ds'));
