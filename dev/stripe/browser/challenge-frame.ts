/** The bank's page of a test payment: the payer chooses whether the challenge is passed. */
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
    window.parent.postMessage('finished', location.origin);
  } catch {
    for (const button of buttons) button.disabled = false;
    if (problem) problem.textContent = 'The bank could not be reached. Please try again.';
  }
}

for (const button of buttons)
  button.addEventListener('click', () => void finish(button.id === 'test-source-authorize-3ds'));
