/** What each feature stores about a person: what an export contains, and what is deleted with an account. */
import { conversationsOfPerson } from './fulfillment/conversation-personal-data.ts';
import { customersOfPerson } from './customers/personal-data.ts';
import { draftsOfPerson } from './editing/drafts.ts';
import { inboxOfPerson } from './inbox/personal-data.ts';
import { ordersOfPerson } from './orders/personal-data.ts';
import { refundsOfPerson } from './payments/personal-data.ts';
import { workOfPerson } from './fulfillment/plan-personal-data.ts';

export const personalRecords = [
  refundsOfPerson,
  workOfPerson,
  conversationsOfPerson,
  ordersOfPerson,
  inboxOfPerson,
  customersOfPerson,
  draftsOfPerson,
];
