/**
 * The bank's page for a test payment, on which the payer passes or fails the challenge. At Stripe, it is in a frame of
 * the bank inside a frame of Stripe. This page is both frames.
 */
import { tell } from './frame.ts';

const isBank = location.search === '?bank';
document.body.innerHTML = isBank
  ? `<main>
      <h1>3D Secure 2 Test Page</h1>
      <p>This is a test 3D Secure 2 authentication. In live mode, customers prove here to their bank that the card is theirs.</p>
      <p role="alert"></p>
      <button type="button" id="test-source-authorize-3ds">Complete</button>
      <button type="button" id="test-source-fail-3ds">Fail</button>
    </main>`
  : `<iframe id="challengeFrame" title="3D Secure challenge" src="/frames/challenge?bank${location.hash}"></iframe>`;

async function finish(isPassed: boolean): Promise<void> {
  const challenge = location.hash.slice(1);
  try {
    const response = await fetch('/frames/challenge', {
      method: 'POST',
      body: JSON.stringify({ challenge, isPassed }),
      headers: { 'Content-Type': 'application/json' },
    });
    if (!response.ok) throw new Error(`The emulator answered ${response.status}.`);
    tell({ type: 'finished' });
  } catch {
    const problem = document.querySelector('[role="alert"]');
    if (problem) problem.textContent = 'The bank could not be reached. Please try again.';
  }
}

for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => void finish(button.id === 'test-source-authorize-3ds'));
// The outer frame forwards the messages of the bank's frame.
if (!isBank)
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    window.parent.postMessage(data, '*'),
  );
