/** Validates a refund. Loaded on demand, because the schema library is larger than the screen. */
import { newRefund } from '#contract/refunds.calls.ts';
import { displayPriceText, parsePriceCents } from '#contract/money.ts';
import { fieldErrorsOf, type FieldErrors } from '#contract/problem.ts';
import type { CallBody } from '#site/app/call.ts';

/** @param leftAmount the amount that can still be refunded, as a decimal string */
export function checkRefund(body: CallBody<'POST /order/:id/refunds'>, leftAmount: string): FieldErrors {
  const isTooMuch = (parsePriceCents(body.amount ?? '') ?? 0) > (parsePriceCents(leftAmount) ?? 0);
  return {
    ...fieldErrorsOf(newRefund.safeParse(body)),
    ...(isTooMuch && { amount: `At most ${displayPriceText(leftAmount)} can be refunded.` }),
  };
}
