/** Calls to the API with the publishable key, from the page and from the card's frame. */

/** Nested values of Stripe's form encoding. */
export interface Fields {
  [name: string]: Fields | boolean | number | string | null | undefined;
}

/** What Stripe.js reports about a failed call. All other fields come from the API. */
export interface StripeError {
  type: string;
  message: string;
  code?: string;
  payment_intent?: unknown;
}

export type ApiResult = { value: Record<string, unknown> } | { error: StripeError };

const { currentScript } = document;

/** The emulator's origin, from which this script was loaded. */
export const { origin } = new URL(
  currentScript instanceof HTMLScriptElement ? currentScript.src : location.href,
);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function encodeFields(fields: Fields, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (value === null || value === undefined) return [];
    return typeof value === 'object' ? encodeFields(value, key) : [[key, String(value)]];
  });
}

/** Reads an error of the API, with the API's own wording. */
export function readError(error: unknown): StripeError {
  const details = isRecord(error) ? error : {};
  return { ...details, type: String(details['type']), message: String(details['message']) };
}

/** Never rejects. A network failure is returned like any other error. */
export async function callApi(
  method: 'GET' | 'POST',
  path: string,
  key: string,
  fields: Fields,
): Promise<ApiResult> {
  const form = new URLSearchParams(encodeFields(fields));
  const address = `${origin}/v1/${path}`;
  try {
    const response = await fetch(method === 'GET' ? `${address}?${form.toString()}` : address, {
      method,
      ...(method === 'POST' && { body: form }),
      headers: { Authorization: `Bearer ${key}` },
    });
    const answer: unknown = await response.json();
    if (!isRecord(answer)) throw new Error('The response is not an object.');
    return response.ok ? { value: answer } : { error: readError(answer['error']) };
  } catch {
    const message =
      'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.';
    return { error: { type: 'api_connection_error', message } };
  }
}
