/** The page of the browser test: a payment form with Stripe's own React components, as in a shop. */
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { StrictMode, useState, type SubmitEvent } from 'react';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);
const stripePromise = loadStripe(query.get('key') ?? '');

function PayForm() {
  const stripe = useStripe();
  const elements = useElements();
  const [fieldError, setFieldError] = useState('');
  const [result, setResult] = useState('');
  const [isComplete, setComplete] = useState(false);

  async function pay(event: SubmitEvent) {
    event.preventDefault();
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) return;
    setResult('…');
    const made = await stripe.createPaymentMethod({
      type: 'card',
      card,
      billing_details: { email: 'ann@example.com', name: 'Ann Lee' },
    });
    if (made.error) {
      setResult(`${made.error.code ?? ''}: ${made.error.message ?? ''}`);
      return;
    }
    const { error, paymentIntent } = await stripe.confirmCardPayment(query.get('secret') ?? '', {
      payment_method: made.paymentMethod.id,
    });
    setResult(error ? `${error.code ?? ''}: ${error.message ?? ''}` : paymentIntent.status);
  }

  return (
    <form onSubmit={(event) => void pay(event)}>
      <CardElement
        id="card"
        options={{
          hidePostalCode: true,
          style: {
            base: { color: 'rgb(1, 2, 3)', fontSize: '18px', '::placeholder': { color: 'rgb(4, 5, 6)' } },
          },
        }}
        onChange={(event) => {
          setFieldError(event.error?.message ?? '');
          setComplete(event.complete);
        }}
      />
      <p role="alert">{fieldError}</p>
      <button disabled={!stripe}>Pay</button>
      <output>{result}</output>
      <p data-testid="complete">{String(isComplete)}</p>
    </form>
  );
}

const root = document.querySelector('main');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Elements stripe={stripePromise}>
        <PayForm />
      </Elements>
    </StrictMode>,
  );
