/** The inside of the test wallet's frames: the button and, with `?sheet`, the sheet. */
import { tell } from './frame.ts';

document.body.className = location.search === '?night' ? 'wallet night' : 'wallet';
document.body.innerHTML = location.search.includes('sheet')
  ? `<main>
      <h1>Test wallet</h1>
      <label for="card">Card</label>
      <select id="card">
        <option value="pm_wallet_visa">Visa 4242, pays</option>
        <option value="pm_wallet_chargeDeclined">Visa 0002, is declined</option>
        <option value="pm_wallet_authenticationRequired">Visa 3184, the bank asks</option>
        <option value="pm_wallet_processing">Visa 2701, the bank takes its time</option>
      </select>
      <p><button type="button" id="pay">Pay</button> <button type="button" id="cancel">Cancel</button></p>
    </main>`
  : '<button type="button" id="click">Test wallet</button>';

const card = document.querySelector('select');
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => {
    if (button.id === 'pay') tell({ type: 'pay', paymentMethod: card?.value ?? '' });
    else tell({ type: button.id === 'cancel' ? 'cancel' : 'click' });
  });
if (!card) tell({ type: 'ready' });
