/**
 * The idempotency key of a plain form, which a script in the page fills in (`giveFormKeys`): sent twice, the form is one
 * request. Its name is `keyField` of the message contract, repeated here as that of the honeypot is.
 */
export const FormKey = () => <input type="hidden" name="key" data-form-key="" suppressHydrationWarning />;
