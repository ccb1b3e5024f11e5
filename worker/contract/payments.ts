/** Payment as browser and server agree on it, and the list of what needs a person. */
import type { Shape } from './call.ts';
import type * as calls from './calls/payments.ts';

/** One line of `GET /needs-attention`. */
export type AttentionItem = Shape<typeof calls.attentionItem>;
