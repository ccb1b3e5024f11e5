/**
 * Every call of the API and who may make it. The Worker refuses what is not listed here, before any handler runs; the
 * islands name calls by this table, so that a path is spelt in one place (docs/decisions/one-origin.md).
 */
import type { Audience } from './screens.ts';
import { sectionNamed, sectionNames, type SectionName } from './sections/index.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Call {
  readonly method: Method;
  /** Below `/api`; `:id` stands for an id. */
  readonly path: string;
  readonly who: Audience;
  /** `form`: a plain HTML form may post here too. `signed`: no same-origin check, the body carries a signature. */
  readonly accepts?: 'form' | 'signed';
}

const call = (method: Method, path: string, who: Audience, accepts?: Call['accepts']): Call => ({
  method,
  path,
  who,
  ...(accepts && { accepts }),
});

export const calls = {
  health: call('GET', '/health', 'anyone'),

  register: call('POST', '/auth/register', 'anyone', 'form'),
  login: call('POST', '/auth/login', 'anyone', 'form'),
  logout: call('POST', '/auth/logout', 'anyone', 'form'),
  session: call('GET', '/auth/session', 'anyone'),
  verifyEmail: call('POST', '/auth/verify', 'anyone', 'form'),
  resendVerification: call('POST', '/auth/verify/resend', 'account'),
  requestReset: call('POST', '/auth/reset', 'anyone', 'form'),
  confirmReset: call('POST', '/auth/reset/confirm', 'anyone', 'form'),
  changePassword: call('PUT', '/auth/password', 'account'),
  listSessions: call('GET', '/auth/sessions', 'account'),
  endSessions: call('DELETE', '/auth/sessions', 'account'),
  google: call('GET', '/auth/google', 'anyone'),
  googleCallback: call('GET', '/auth/google/callback', 'anyone'),
  exportAccount: call('GET', '/auth/account', 'account'),
  deleteAccount: call('DELETE', '/auth/account', 'account'),
  setupState: call('GET', '/setup', 'anyone'),

  placeOrder: call('POST', '/new-order', 'account'),
  listOrders: call('GET', '/orders', 'account'),
  readOrder: call('GET', '/order/:id', 'anyone'),
  orderTimeline: call('GET', '/order/:id/timeline', 'account'),
  updatePaymentStatus: call('PUT', '/order/:id', 'anyone'),
  updateOrderStatus: call('PUT', '/order-status/:id', 'administrator'),
  cancelOrder: call('PUT', '/order-cancelled/:id', 'account'),
  orderTotals: call('GET', '/order-totals', 'account'),
  salesByDay: call('GET', '/sales', 'administrator'),
  exportOrders: call('GET', '/orders.csv', 'administrator'),
  createPaymentIntent: call('POST', '/create-payment-intent', 'anyone'),
  stripeWebhook: call('POST', '/stripe/webhook', 'anyone', 'signed'),

  turnstile: call('GET', '/turnstile', 'anyone'),
  sendMessage: call('POST', '/add-message', 'anyone', 'form'),
  listMessages: call('GET', '/messages', 'administrator'),
  readMessage: call('GET', '/message/:id', 'administrator'),
  updateMessage: call('PUT', '/message/:id', 'administrator'),
  removeMessage: call('DELETE', '/message/:id', 'administrator'),
  removeMessages: call('DELETE', '/messages', 'administrator'),
  exportMessages: call('GET', '/messages.csv', 'administrator'),
  subscribe: call('POST', '/add-subscriber', 'anyone', 'form'),
  listSubscribers: call('GET', '/subscribers', 'administrator'),
  removeSubscriber: call('DELETE', '/subscriber/:id', 'administrator'),
  exportSubscribers: call('GET', '/subscribers.csv', 'administrator'),

  needsAttention: call('GET', '/needs-attention', 'administrator'),
  markAttentionSeen: call('PUT', '/needs-attention/:id', 'administrator'),
  resendMail: call('POST', '/unsent-mail/:id', 'administrator'),

  publication: call('GET', '/publication', 'administrator'),
  publications: call('GET', '/publications', 'administrator'),
  goBack: call('POST', '/publications/:revision/go-back', 'administrator'),
  recordHistory: call('GET', '/history/:id', 'administrator'),
  restoreVersion: call('POST', '/history/:id/restore', 'administrator'),
} as const satisfies Record<string, Call>;

/** What can be done with the records of a section. */
export type SectionVerb = 'list' | 'add' | 'read' | 'update' | 'remove' | 'reorder';

/** Calls that open for everyone while no administrator exists; their handlers ask for the set-up token. */
const firstRunCalls = new Set<SectionName>(['adminUser', 'paymentKey']);

/** The calls of one section, derived from its literal; removing and reordering are calls of ours in the same style. */
export function sectionCalls(name: SectionName): Partial<Record<SectionVerb, Call>> {
  const { api, kind, read } = sectionNamed(name);
  const reader: Audience = read === 'administrator' ? 'administrator' : 'anyone';
  return {
    list: call('GET', api.list, reader),
    ...(api.add && { add: call('POST', api.add, firstRunCalls.has(name) ? 'anyone' : 'administrator') }),
    ...(api.read && { read: call('GET', api.read, read === 'own' ? 'account' : reader) }),
    ...(api.update && { update: call('PUT', api.update, 'administrator') }),
    ...(api.read && kind !== 'fixed' && { remove: call('DELETE', api.read, 'administrator') }),
    ...(kind === 'list' && { reorder: call('PUT', api.list, 'administrator') }),
  };
}

/** Every call there is. */
export const allCalls: readonly Call[] = [
  ...Object.values(calls),
  ...sectionNames.flatMap((name) => Object.values(sectionCalls(name))),
];

/** A call's path with its id filled in, below `/api`. */
export const callPath = (path: string, id?: string): string =>
  `/api${id === undefined ? path : path.replace(/:(id|revision)/, encodeURIComponent(id))}`;
