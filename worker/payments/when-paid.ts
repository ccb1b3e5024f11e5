/** What goes with an order's becoming Paid, in whichever way: mails to customer and business, and the beginning of the work. */
import type { Statement } from '../db/client.ts';
import { orderPaidMail } from '../orders/mails.ts';
import { tellBusinessOfPayment, tellCustomer } from '../orders/notify.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { awaitBrief } from '../work/brief.ts';
import { copyPlan } from '../work/plan.ts';
import type { PaymentContext } from './context.ts';

/** The statements for the batch that makes an order Paid, after its event. @param order as it is then */
export const whenPaid = (context: PaymentContext, order: OrderRecord): Statement[] => [
  ...tellCustomer(context, order, 'order-paid', orderPaidMail),
  tellBusinessOfPayment(context, order),
  awaitBrief(context.db, order, Date.now()),
  ...copyPlan(context.db, context.env, order, Date.now()),
];
